// Runs in a page under test (tests/browser.py) and returns what is displayed.
const troubles = [];
addEventListener("error", (event) => troubles.push(event.message || event.target.outerHTML), true);
addEventListener("unhandledrejection", (event) => troubles.push(String(event.reason)));

function look(selectors) {
  const every = [...document.body.querySelectorAll("*")].filter((each) => each.tagName !== "SCRIPT");
  return {
    troubles,
    selectors: Object.fromEntries(selectors.map((each) => [each, boxes(each)])),
    fetched: performance.getEntriesByType("resource").map((each) => each.name),
    addresses: every.flatMap((each) =>
      ["src", "href", "srcset", "data", "action"].filter((name) => each.hasAttribute(name))
        .map((name) => each.getAttribute(name))),
    scripts: document.scripts.length,
    title: document.title,
    height: document.documentElement.scrollHeight,
    text: document.body.innerText,
    background: getComputedStyle(document.body).backgroundColor,
    faint: every.flatMap(written).filter(({ ratio }) => ratio < 4.5)
      .map(({ ratio, words }) => `${words}: ${ratio.toFixed(2)}`),
    cut: every.filter(sticksOut).map(named),
    overlapping: [...document.querySelectorAll("svg")].flatMap(overlaps),
  };
}

function boxes(selector) {
  return [...document.querySelectorAll(selector)].map((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    return { left, top, width, height, on_top: over !== null && each.contains(over) };
  });
}

function named(element) {
  return `${element.tagName} ${element.className.baseVal ?? element.className}: ` +
    element.textContent.trim().slice(0, 60);
}

// Beyond the edge of the page, or hidden in a box that scrolls horizontally.
function sticksOut(element) {
  const { right, width } = element.getBoundingClientRect();
  const scrolls = element instanceof HTMLElement && element.clientWidth > 0;
  return (width > 0 && right > document.documentElement.clientWidth + 1) ||
    (scrolls && element.scrollWidth > element.clientWidth + 1);
}

// Texts of an SVG that overlap each other or the edge of a box, or lie outside of it.
function overlaps(svg) {
  const frame = svg.getBoundingClientRect();
  const words = [...svg.querySelectorAll("text")].map((each) => [each, each.getBoundingClientRect()]);
  const rects = [...svg.querySelectorAll("rect:not(.bar)")].map((each) => each.getBoundingClientRect());
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const within = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1;
  return words.flatMap(([each, box], at) => [
    ...words.slice(at + 1).filter(([, other]) => meet(box, other))
      .map(([other]) => `${each.textContent} / ${other.textContent}`),
    ...rects.filter((rect) => meet(box, rect) && !within(box, rect))
      .map(() => `${each.textContent} / a box`),
    ...(within(box, frame) ? [] : [`${each.textContent} / the frame`]),
  ]);
}

// The WCAG contrast of each element's own text and of its CSS ::before content.
function written(element) {
  const own = [...element.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
  const before = getComputedStyle(element, "::before");
  const styles = [];
  if (own) styles.push(getComputedStyle(element));
  if (before.content.startsWith('"')) styles.push(before);
  return styles.filter(() => element.getBoundingClientRect().width > 0).map((style) => {
    const colour = element.closest("svg") ? style.fill : style.color;
    const [a, b] = [luminance(colour), luminance(behind(element))].sort((x, y) => y - x);
    return { ratio: style.opacity * (a + 0.05) / (b + 0.05), words: named(element) };
  });
}

function behind(element) {
  for (let each = element; each; each = each.parentElement) {
    const colour = getComputedStyle(each).backgroundColor;
    if (!/, 0\)$/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
}

function luminance(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
