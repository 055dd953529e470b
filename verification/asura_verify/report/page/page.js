"use strict";
(() => {
  const byId = (id) => document.getElementById(id);

  // Colours: as the system, light, dark; remembered where the browser allows it.
  const themes = ["system", "light", "dark"];
  const button = byId("theme");
  const remember = (value) => { try { localStorage.setItem("theme", value); } catch { /* from disk */ } };
  const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const paint = (theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.querySelector(".word").textContent = theme;
    button.setAttribute("aria-label", theme === "system" ? "Colours: as the system" : `Colours: ${theme}`);
  };
  let theme = themes.includes(remembered()) ? remembered() : "system";
  paint(theme);
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    paint(theme);
    remember(theme);
  });

  // Filters.
  const form = byId("filters");
  const rows = [...document.querySelectorAll(".claims tbody tr")];
  const apply = () => {
    const wanted = Object.fromEntries(new FormData(form));
    let shown = 0;
    for (const row of rows) {
      const fits = ["origin", "verdict", "strength", "section"].every((key) => !wanted[key] || row.dataset[key] === wanted[key])
        && row.dataset.search.includes((wanted.search || "").trim().toLowerCase());
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    byId("count").textContent = `${shown} of ${rows.length} claims`;
    byId("none").hidden = shown > 0;
  };
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(() => {
    if (form.elements.origin) form.elements.origin.value = "";
    apply();
  }));
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();

  // What scrolls sideways can be reached with the keyboard.
  const reach = () => {
    for (const box of document.querySelectorAll(".scroll")) {
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0;
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", box.classList.contains("display") ? "Formula, scrolls sideways" : "Scrolls sideways");
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      }
    }
  };
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);
  reach();

  // A link to a claim opens it; so does everything that leads into a folded part.
  const unfold = (id) => {
    const target = id && byId(decodeURIComponent(id));
    if (!target) return;
    const own = target.querySelector(":scope > details.claim");
    for (let box = own || target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", () => unfold(location.hash.slice(1)));
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (link) setTimeout(() => unfold(link.getAttribute("href").slice(1)));
  });
  unfold(location.hash.slice(1));
  byId("unfold").addEventListener("click", (event) => {
    const boxes = [...document.querySelectorAll("details.claim, details.group")];
    const open = boxes.some((box) => !box.open);
    for (const box of boxes) box.open = open;
    event.target.textContent = open ? "Fold all" : "Unfold all";
  });

  // On paper everything is open.
  addEventListener("beforeprint", () => { for (const box of document.querySelectorAll("details")) box.open = true; });

  // The graph lights what a claim touches.
  for (const link of document.querySelectorAll(".graph a")) {
    const light = (on) => {
      for (const path of document.querySelectorAll(".graph path")) {
        if ([path.dataset.from, path.dataset.to].includes(link.dataset.slug)) path.classList.toggle("lit", on);
      }
    };
    for (const name of ["mouseenter", "focus"]) link.addEventListener(name, () => light(true));
    for (const name of ["mouseleave", "blur"]) link.addEventListener(name, () => light(false));
  }

  // The run.
  const walk = JSON.parse(byId("walk").textContent);
  const moments = walk.moments;
  const last = moments.length - 1;
  const element = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const show = (value) => Number(value.toPrecision(4)).toString().replace("-", "−");

  const drawSpectrum = (now) => {
    const [left, right, top, bottom] = [44, 372, 12, 228];
    const highest = moments[last].upper, lowest = Math.min(...moments.map((m) => m.lower));
    const x = (j) => left + (right - left) * j / last;
    const y = (value) => bottom - (bottom - top) * (value - lowest) / (highest - lowest);
    const line = (read, from, to) => moments.slice(from, to + 1).map((m) => `${x(m.iteration).toFixed(1)},${y(read(m)).toFixed(1)}`).join(" ");
    const series = [[(m) => m.upper, "barrier", "u"], [(m) => m.lower, "barrier", "l"], [(m) => m.ellipse[0], "eigen", "λ₁"], [(m) => m.ellipse[1], "eigen", "λ₂"]];
    const parts = [element("line", { class: "axis", x1: left, x2: right, y1: y(0), y2: y(0) }),
      element("text", { x: left - 6, y: y(0) + 4, "text-anchor": "end" }, "0"),
      element("text", { x: left - 6, y: y(highest) + 4, "text-anchor": "end" }, show(highest)),
      element("text", { x: left - 6, y: y(lowest) + 4, "text-anchor": "end" }, show(lowest)),
      element("text", { x: (left + right) / 2, y: 250, "text-anchor": "middle" }, `iteration j = ${now.iteration} of ${last}`),
      element("line", { class: "now", x1: x(now.iteration), x2: x(now.iteration), y1: top, y2: bottom })];
    const ends = series.map(([read]) => y(read(moments[last])));
    if (ends[3] - ends[2] < 12) { const middle = (ends[2] + ends[3]) / 2; ends[2] = middle - 6; ends[3] = middle + 6; }
    series.forEach(([read, kind, name], k) => {
      parts.push(element("polyline", { class: `${kind} ahead`, points: line(read, now.iteration, last) }));
      parts.push(element("polyline", { class: kind, points: line(read, 0, now.iteration) }));
      parts.push(element("circle", { class: kind === "barrier" ? "dot-u" : "dot-e", r: 3, cx: x(now.iteration), cy: y(read(now)) }));
      parts.push(element("text", { x: right + 6, y: ends[k] + 4 }, name));
    });
    byId("spectrum").replaceChildren(...parts);
  };

  const drawPlane = (now) => {
    const middle = 130, scale = 118 / moments[last].upper;
    const longest = Math.max(...walk.places.map(([a, b]) => Math.hypot(a, b)));
    const parts = [element("circle", { class: "circle", cx: middle, cy: middle, r: now.upper * scale })];
    if (now.lower > 0) parts.push(element("circle", { class: "circle", cx: middle, cy: middle, r: now.lower * scale }));
    const [first, second, angle] = now.ellipse;
    parts.push(element("ellipse", { class: "ellipse", cx: middle, cy: middle, rx: first * scale, ry: second * scale, transform: `rotate(${-angle} ${middle} ${middle})` }));
    walk.places.forEach(([a, b], i) => {
      const reach = 100 / longest;
      parts.push(element("line", { class: i === now.pick ? "ray picked" : "ray", x1: middle, y1: middle, x2: middle + a * reach, y2: middle - b * reach }));
    });
    byId("plane").replaceChildren(...parts);
  };

  const drawChances = (now) => {
    const parts = [];
    const largest = Math.max(...moments.flatMap((m) => m.probabilities));
    walk.names.forEach((name, i) => {
      const y = 10 + i * 27, chance = now.probabilities[i];
      parts.push(element("text", { x: 128, y: y + 13, "text-anchor": "end" }, name));
      if (chance === undefined) return;
      const width = 230 * chance / largest;
      parts.push(element("rect", { class: i === now.pick ? "bar picked" : "bar", x: 136, y, width, height: 17 }));
      parts.push(element("text", { x: 142 + width, y: y + 13 }, show(chance)));
    });
    byId("chances").replaceChildren(...parts);
  };

  const slider = byId("step");
  const draw = () => {
    const now = moments[Number(slider.value)];
    drawSpectrum(now);
    drawPlane(now);
    drawChances(now);
    const state = `j = ${now.iteration}: u = ${show(now.upper)}, l = ${show(now.lower)}, eigenvalues ${show(now.ellipse[0])} and ${show(now.ellipse[1])}.`;
    byId("say").textContent = now.pick === null
      ? `${state} The loop has ended.`
      : `${state} Potential ${show(now.potential)}. Picked ${walk.names[now.pick]}, with probability ${show(now.probabilities[now.pick])} and weight ${show(now.weight)}.`;
    slider.setAttribute("aria-valuetext", `iteration ${now.iteration} of ${last}`);
  };
  slider.addEventListener("input", draw);
  const move = (by) => { slider.value = Number(slider.value) + by; draw(); };
  byId("back").addEventListener("click", () => move(-1));
  byId("forth").addEventListener("click", () => move(1));
  draw();
})();
