/** A page without a browser: React draws into happy-dom, and events are sent as a browser would. */
import { Window } from "happy-dom";
import type { ReactElement } from "react";

const window = new Window({ url: "http://desk.example/" });
for (const name of [
  "navigator",
  "document",
  "HTMLElement",
  "HTMLInputElement",
  "HTMLSelectElement",
  "HTMLIFrameElement",
  "Node",
  "Event",
  "MouseEvent",
  "KeyboardEvent",
  "HTMLDialogElement",
])
  Object.defineProperty(globalThis, name, {
    value: Reflect.get(window, name),
    configurable: true,
    writable: true,
  });
Object.assign(globalThis, { window, IS_REACT_ACT_ENVIRONMENT: true });

const { act } = await import("react");
const { createRoot } = await import("react-dom/client");

/** Draws something; the answer draws something else in its place. */
export async function draw(element: ReactElement) {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  await act(async () => root.render(element));
  return {
    place,
    redraw: (next: ReactElement) => act(async () => root.render(next)),
    remove: () => act(async () => root.unmount()),
  };
}

/** Lets everything that was begun come to its end. */
export const settle = () => act(async () => new Promise((resolve) => setTimeout(resolve, 5)));

export const click = (element: Element) =>
  act(async () => void element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })));

export const press = (element: Element, key: string) =>
  act(
    async () =>
      void element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })),
  );

/** Types or chooses a value, as React notices it. */
export function enter(element: Element, value: string) {
  const prototype = element.tagName === "SELECT" ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
  return act(async () => {
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(element, value);
    element.dispatchEvent(new Event(element.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  });
}

export function find(place: Element, selector: string): any {
  const found = place.querySelector(selector);
  if (found === null) throw new Error(`There is no ${selector} in ${place.innerHTML}`);
  return found;
}

export function button(place: Element, text: RegExp): any {
  const found = [...place.querySelectorAll("button")].find((each) =>
    text.test((each.textContent ?? "").trim()),
  );
  if (found === undefined) throw new Error(`There is no button ${text} in ${place.innerHTML}`);
  return found;
}

/** A promise that is kept or broken when the test says so. */
export function later<Value>() {
  let keep: (value: Value) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    keep = resolve;
    fail = reject;
  });
  return { promise, keep, fail };
}
