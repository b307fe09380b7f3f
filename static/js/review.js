// Deciding by keyboard: j and k move, a letter presses the control that has it as data-key. The page works without this file.
const drafts = () => [...document.querySelectorAll("[data-review] > li")];
const current = () => document.activeElement?.closest("[data-review] > li");

const go = (item) => item?.focus();

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input:not([type=checkbox]), textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const items = drafts();
  const at = items.indexOf(current());
  if (event.key === "j" || event.key === "k") {
    go(items[Math.max(0, Math.min(items.length - 1, at + (event.key === "j" ? 1 : -1)))]);
    event.preventDefault();
    return;
  }
  const control = (current() ?? items[0])?.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!control) return;
  event.preventDefault();
  control.click();
  control.closest("details")?.querySelector("textarea")?.focus();
});

// What was decided stays in its place; the next draft is at hand.
document.addEventListener("htmx:afterSwap", (event) => {
  if (!document.querySelector("[data-review]")) return;
  const decided = document.getElementById(event.detail.elt?.id ?? "") ?? event.detail.elt;
  const items = drafts();
  const from = Math.max(0, items.indexOf(decided));
  go(items.slice(from).find((item) => item.dataset.artifact === "draft") ?? items[from]);
});
