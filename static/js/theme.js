// Before the first paint: what only serves readers without scripts goes, and the theme comes that the reader chose, if any.
const chosen = localStorage.getItem("theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
document.documentElement.classList.add("scripted");
