// Live panels. `data-live` on an element with hx-get and hx-trigger="live" names what it shows: `conversation.<id>`, `handoff.<id>`
// (any noun: the id decides), `messages` (every event whose name begins so), or `*`. One stream tells which events happened since the
// page was made, only while it is seen; without it the panels ask every 15 seconds. A panel that is used just now waits until it is not.
// Words marked `data-says` are told to who can't see them come.
(() => {
  const POLL = 15000, TOGETHER = 400, AGAIN = 30000;
  const address = document.body.dataset.liveStream;
  const etags = new Map();
  const stale = new Set();
  let source = null, last = document.body.dataset.liveAfter || "", heard = false, flushing = 0, reopening = 0;
  if (!address || !window.EventSource || !window.htmx) return;

  const panels = () => document.querySelectorAll("[data-live]");
  const shows = (panel, name, about) => panel.dataset.live.split(/\s+/).some((token) => {
    const [noun, id] = token.split(".", 2);
    return token === "*" || (id ? about.includes(id) : noun && name.startsWith(`${noun}.`));
  });
  const inUse = (panel) => {
    const selection = getSelection();
    return panel.contains(document.activeElement) || (!selection.isCollapsed && panel.contains(selection.anchorNode));
  };

  const flush = () => {
    flushing = 0;
    if (document.hidden) return;
    for (const panel of [...stale]) {
      if (panel.isConnected && inUse(panel)) continue;
      stale.delete(panel);
      if (panel.isConnected) htmx.trigger(panel, "live");
    }
  };
  const soon = () => { if (stale.size && !flushing && !document.hidden) flushing = setTimeout(flush, TOGETHER); };
  const refresh = (wanted) => {
    for (const panel of panels()) if (wanted(panel)) stale.add(panel);
    soon();
  };
  const everything = () => refresh(() => true);

  const close = () => {
    if (source) source.close();
    source = null;
    clearTimeout(reopening);
    reopening = 0;
  };
  const open = () => {
    if (source || reopening || document.hidden || !panels().length) return;
    source = new EventSource(last ? `${address}?last_event_id=${last}` : address);
    source.onmessage = (event) => {
      last = event.lastEventId;
      const told = JSON.parse(event.data);
      refresh((panel) => shows(panel, told.name, told.about));
    };
    source.addEventListener("ready", (event) => { last = event.lastEventId; heard = true; });
    source.addEventListener("reset", (event) => { last = event.lastEventId; everything(); });
    source.onerror = () => {
      // The browser tries again by itself, but for a refusal.
      if (source && source.readyState === EventSource.CLOSED) {
        close();
        reopening = setTimeout(() => { reopening = 0; open(); }, AGAIN);
      }
    };
  };

  setInterval(() => {
    if (document.hidden) return;
    if (!source || source.readyState !== EventSource.OPEN) everything();
  }, POLL);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close();
    else { if (!heard) everything(); open(); soon(); }
  });
  document.addEventListener("focusout", () => setTimeout(soon, 0));
  document.addEventListener("selectionchange", soon);
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  document.addEventListener("htmx:afterSettle", () => { if (panels().length) open(); else close(); });

  // What somebody opened stays open when its panel comes anew, what they read stays where it is, and what it says anew is told.
  const kept = new Map();
  const nameOf = (details, index) => details.id || String(index);
  const detailsOf = (panel) => [...panel.querySelectorAll("details")];
  const saidBy = (panel) => [...panel.querySelectorAll("[data-says]")].map((one) => one.textContent.trim());
  const topOf = (one) => one.getBoundingClientRect().top;
  const readNow = () => [...document.querySelectorAll("main [id]")].find((one) => topOf(one) >= 0 && one.checkVisibility());
  document.addEventListener("htmx:beforeSwap", (event) => {
    const panel = event.detail.elt;
    if (!panel.id || !panel.matches("[data-live]")) return;
    const states = new Map(detailsOf(panel).map((details, index) => [nameOf(details, index), details.open]));
    const read = scrollY ? readNow() : null;
    kept.set(panel.id, { states, said: saidBy(panel), read: read?.id, top: read && topOf(read) });
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, { states, said, read, top }] of kept) {
      const panel = document.getElementById(id);
      if (!panel) continue;
      detailsOf(panel).forEach((details, index) => { details.open = states.get(nameOf(details, index)) ?? details.open; });
      const still = read && document.getElementById(read);
      if (still) scrollBy(0, topOf(still) - top);
      const news = saidBy(panel).filter((text) => !said.includes(text));
      if (news.length) announce(news.join(", "));
    }
    kept.clear();
  });

  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, verb, path, headers } = event.detail;
    if (verb === "get" && elt.matches("[data-live]") && etags.has(path)) headers["If-None-Match"] = etags.get(path);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    // Who asked: the element of the event is another one where the panel itself was replaced.
    const { xhr, requestConfig } = event.detail;
    const asked = xhr && xhr.status === 200 && requestConfig.verb === "get" && requestConfig.elt.matches("[data-live]");
    const etag = asked && xhr.getResponseHeader("ETag");
    if (etag) etags.set(requestConfig.path, etag);
  });
  open();
})();
