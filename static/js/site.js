// The few things that a page can't do by itself; every page works without this file.
const announce = (text) => {
  document.getElementById("announcer").textContent = text;
};

// Copy buttons: data-copy names the element whose text is copied. They are hidden until there is a script to serve them.
const showScripted = (root) => {
  for (const button of root.querySelectorAll("[data-copy], [data-theme-switch], [data-mirrors], [data-choose-all], [data-keys-hint]")) button.hidden = false;
};
showScripted(document);
document.addEventListener("htmx:afterSwap", () => showScripted(document));

const select = (element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
    const label = button.textContent;
    button.textContent = "Copied";
    announce("Copied");
    setTimeout(() => { button.textContent = label; }, 1500);
  } catch {
    // No clipboard outside of HTTPS and localhost: show and mark the text, so that one key press copies it.
    source.hidden = false;
    select(source);
    announce("Selected; press Ctrl or Command and C to copy");
  }
});

// The theme: the system's, unless the reader chose one.
for (const choice of document.querySelectorAll("[data-theme-switch] input")) {
  choice.checked = choice.value === (document.documentElement.dataset.theme || "system");
  choice.addEventListener("change", () => {
    if (choice.value === "system") {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem("theme");
    } else {
      document.documentElement.dataset.theme = choice.value;
      localStorage.setItem("theme", choice.value);
    }
    announce(`Theme: ${choice.value}`);
  });
}

// What waits is counted in the title, also when that changes.
document.addEventListener("htmx:afterSwap", () => {
  const count = document.getElementById("needs")?.dataset.count;
  if (count !== undefined) document.title = `${count ? `(${count}) ` : ""}${document.title.replace(/^\(\d+\+?\) /, "")}`;
});

// Paper can't be unfolded: a briefing is printed with all its parts open.
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll(".briefing details:not([open])")) part.dataset.folded = part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of document.querySelectorAll("details[data-folded]")) {
    part.open = false;
    delete part.dataset.folded;
  }
});

// Panels that show something unfinished ask again, but only while someone looks.
setInterval(() => {
  if (document.hidden || !window.htmx) return;
  for (const panel of document.querySelectorAll("[data-poll]")) htmx.trigger(panel, "poll");
}, 1000);

// A refusal that is made for this page comes with its place; anything else is told in one line.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status === 422 || xhr.getResponseHeader("HX-Retarget")) event.detail.shouldSwap = true;
});

const complain = (text) => {
  const notice = document.createElement("p");
  notice.className = "notice bad";
  notice.textContent = text;
  document.getElementById("notices").replaceChildren(notice);
};
document.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  if (xhr.status !== 422 && !xhr.getResponseHeader("HX-Retarget")) complain(`The server answered with an error (${xhr.status}).`);
});
document.addEventListener("htmx:sendError", () => complain("The server can't be reached. Try again in a moment."));

// Who goes by the keyboard goes on where they were when that part of the page comes anew.
const controlsOf = (root) => [...root.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")];
const tellsOf = (one) => ({ label: `${one.tagName} ${one.textContent.trim()}`, about: one.form?.elements.key?.value });
let left = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target } = event.detail;
  const at = controlsOf(target).indexOf(document.activeElement);
  const parent = target.parentElement;
  // A part that comes anew by itself meanwhile changes nothing about where they were.
  if (at >= 0) left = { target, at, parent, place: [...parent.children].indexOf(target), ...tellsOf(document.activeElement) };
});
document.addEventListener("htmx:afterSettle", () => {
  const was = left;
  left = null;
  const root = was?.target.isConnected ? was.target : was?.parent.children[was.place];
  if (!root || document.activeElement !== document.body) return;
  // The same line counts most, then the same words, then how near it is.
  const distance = (one, at) => {
    const { label, about } = tellsOf(one);
    return (was.about && about === was.about ? 0 : 2e6) + (label === was.label ? 0 : 1e6) + Math.abs(at - was.at);
  };
  const nearest = controlsOf(root).map((one, at) => [distance(one, at), one]).sort(([a], [b]) => a - b)[0];
  nearest?.[1].focus({ preventScroll: true });
});

// An open menu closes when something else is used.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// One key leads to the search field, unless one is writing.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
  const field = document.querySelector(`[data-shortcut="${CSS.escape(event.key)}"]`);
  if (!field || !field.offsetParent) return;
  event.preventDefault();
  field.focus();
});

// All boxes of a form, or none where all are chosen.
document.addEventListener("click", (event) => {
  const all = event.target.closest("[data-choose-all]");
  if (!all) return;
  const boxes = [...document.querySelectorAll(`[type="checkbox"][form="${all.dataset.chooseAll}"]`)];
  const wanted = boxes.some((box) => !box.checked);
  for (const box of boxes) box.checked = wanted;
  announce(`${wanted ? boxes.length : "none"} chosen`);
});

// A slider and the field that it names show the same number.
document.addEventListener("input", (event) => {
  const { target } = event;
  const field = target.dataset.mirrors ? document.getElementById(target.dataset.mirrors) : document.querySelector(`[data-mirrors="${CSS.escape(target.id)}"]`);
  if (field) field.value = target.value;
});

// Files dropped on a form go into its field; data-drop names the field.
const dropped = (event) => event.target.closest?.("[data-drop]");
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    const form = dropped(event);
    if (!form || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.toggle("over", name === "dragover");
    if (name !== "drop") return;
    const field = document.getElementById(form.dataset.drop);
    field.files = event.dataTransfer.files;
    announce(`${field.files.length} files chosen`);
  });
}

// While a form is sent, its bar tells how far.
document.addEventListener("htmx:xhr:progress", (event) => {
  const bar = event.target.querySelector?.("progress.sending");
  if (!bar || !event.detail.lengthComputable) return;
  bar.hidden = event.detail.loaded === event.detail.total;
  bar.value = (event.detail.loaded / event.detail.total) * 100;
});
