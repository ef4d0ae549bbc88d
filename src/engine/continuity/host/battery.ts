import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = "/sys/class/power_supply";

/**
 * Returns whether the machine runs on its battery, as Linux tells it. Null where it is not known: on other systems, and where nothing
 * supplies power that the system knows of.
 */
export function isOnBattery(place = folder): boolean | null {
  const supplies = names(place).map((name) => ({
    type: read(path.join(place, name, "type")),
    online: read(path.join(place, name, "online")),
    status: read(path.join(place, name, "status")),
    scope: read(path.join(place, name, "scope")),
  }));
  // A mouse has a battery of its own.
  const own = supplies.filter(({ scope }) => scope !== "Device");
  if (own.some(({ type, online }) => type !== "Battery" && online === "1")) return false;
  const batteries = own.filter(({ type }) => type === "Battery");
  if (batteries.length === 0) return own.some(({ online }) => online === "0") ? true : null;
  return batteries.some(({ status }) => status === "Discharging");
}

function names(place: string): string[] {
  try {
    return readdirSync(place).toSorted();
  } catch {
    // Other systems have no such folder.
    return [];
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // Not every supply has every file.
    return null;
  }
}
