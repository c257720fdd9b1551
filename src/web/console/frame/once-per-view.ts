import type { View } from "./section.ts";

/** Returns a function that asks once for each view, since the overview shows an answer as a card and as needs. */
export function oncePerView<T>(ask: (view: View) => Promise<T>): (view: View) => Promise<T> {
  const asked = new WeakMap<View, Promise<T>>();
  return (view) => {
    const answer = asked.get(view) ?? ask(view);
    asked.set(view, answer);
    return answer;
  };
}
