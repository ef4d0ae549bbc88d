import { Emitter } from "../../../../src/engine/base/events.ts";
import type { ViewSettings } from "../../../../src/engine/sessions/live/sessions-view.ts";
import { defaultContextSettings, type ContextSettings } from "../../../../src/engine/settings/contexts.ts";

/** Settings that are equal everywhere, until `set`. */
export function viewSettings(now: ContextSettings = defaultContextSettings) {
  const changes = new Emitter<void>();
  let held = now;
  const settings: ViewSettings = { of: () => held, onChange: changes.on, problems: () => [] };
  const set = (next: ContextSettings) => {
    held = next;
    changes.fire();
  };
  return { settings, set };
}
