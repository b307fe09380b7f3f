// The keyboard: Ctrl-K goes, does and finds; g and a letter goes; j and k move through rows; ? tells of all.
(() => {
  const palette = document.getElementById("palette"), help = document.getElementById("keys");
  if (!palette) return;
  const words = document.getElementById("palette-words"), found = document.getElementById("palette-found");
  const GO = { h: "/", c: "/conversations", o: "/handoffs", a: "/agents", s: "/states", d: "/diagnostics", t: "/team", e: "/events" };
  let at = 0, going = 0;

  // What one can go to and do stands on the page already: its menus, its tabs, and its buttons.
  const offered = () => {
    const seen = new Map();
    const add = (kind, one, address, named) => {
      const label = named || (one.getAttribute("aria-label") || one.innerText || one.textContent).trim().replace(/\s+/g, " ");
      const same = label.replace(/\b(an?|the) /gi, "");  // “Prepare a handoff” leads to where “Prepare handoff” is done
      if (label && !seen.has(same)) seen.set(same, { kind, label, go: () => (address ? location.assign(address) : one.click()) });
    };
    for (const link of document.querySelectorAll("main .button[href], main .tabs a[href]")) add("here", link, link.href);
    for (const button of document.querySelectorAll("main button.primary")) if (button.offsetParent) add("do", button);
    for (const link of document.querySelectorAll("header nav a[href]")) add("go", link, link.href);
    for (const choice of document.querySelectorAll("[data-theme-switch] input")) add("do", choice, "", `Theme: ${choice.value}`);
    return [...seen.values()];
  };
  const draw = () => {
    const text = words.value.trim();
    const parts = text.toLowerCase().split(/\s+/);
    const rows = offered().filter((each) => parts.every((part) => each.label.toLowerCase().includes(part))).slice(0, 8);
    const ask = (address) => () => location.assign(`${address}?q=${encodeURIComponent(text)}`);
    if (text) {
      rows.push({ kind: "find", label: `“${text}” in what was said and decided`, go: ask(found.dataset.search) });
      rows.push({ kind: "find", label: `“${text}” in titles of conversations`, go: ask(found.dataset.conversations) });
    }
    at = Math.min(at, Math.max(0, rows.length - 1));
    found.replaceChildren(...rows.map((row, place) => {
      const item = document.createElement("li"), kind = document.createElement("span");
      item.id = `palette-${place}`;
      item.role = "option";
      item.ariaSelected = String(place === at);
      kind.className = "soft small";
      kind.textContent = row.kind;
      item.append(row.label, kind);
      item.addEventListener("click", row.go);
      return item;
    }));
    words.setAttribute("aria-activedescendant", rows.length ? `palette-${at}` : "");
    found.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const open = () => { words.value = ""; at = 0; palette.showModal(); draw(); };
  words.addEventListener("input", () => { at = 0; draw(); });
  words.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { at = (at + step + found.children.length) % Math.max(1, found.children.length); draw(); event.preventDefault(); }
    if (event.key === "Enter") { event.preventDefault(); const chosen = found.children[at]; palette.close(); chosen?.click(); }
  });
  for (const dialog of [palette, help]) dialog.addEventListener("click", (event) => { if (event.target === dialog || event.target.closest("[data-close]")) dialog.close(); });

  const move = (by) => {
    const rows = [...document.querySelectorAll("main .items > li, main .rows tbody tr, main .message")].map((row) => row.querySelector("a.name, a")).filter((link) => link?.offsetParent);
    const now = rows.findIndex((link) => link === document.activeElement);
    rows[Math.max(0, Math.min(rows.length - 1, now < 0 ? 0 : now + by))]?.focus();
  };
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") { event.preventDefault(); open(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (going && Date.now() - going < 1500 && GO[event.key]) { going = 0; event.preventDefault(); location.assign(GO[event.key]); return; }
    going = event.key === "g" ? Date.now() : 0;
    if (event.key === "?") { event.preventDefault(); help.showModal(); }
    if ((event.key === "j" || event.key === "k") && !document.querySelector("[data-review]")) move(event.key === "j" ? 1 : -1);
  });
})();
