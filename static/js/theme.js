// Before the first paint: the theme that the reader chose, if any. Without one the system's holds.
const chosen = localStorage.getItem("theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
