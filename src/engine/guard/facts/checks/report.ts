import type { Finding } from "../../delivery.ts";

/** Quotes a name as data: on one line, and short. */
export function quoted(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}`]/gu, "?");
  return `\`${plain.length > 200 ? `${plain.slice(0, 200)}…` : plain}\``;
}

export function listed(names: readonly string[]): string {
  const all = names.map(quoted);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1) ?? ""}`;
}

/** Lists the similar names that exist, or else the first of all. */
export function nearestOrAll(nearest: readonly string[], all: readonly string[], max = 8): string {
  if (nearest.length > 0) return `The nearest that it has: ${listed(nearest)}.`;
  if (all.length === 0) return "";
  return `It has: ${all.slice(0, max).map(quoted).join(", ")}${all.length > max ? ", …" : ""}.`;
}

/** Makes the report about a missing thing: a sentence about it, and one about existing things. */
export function missing(
  rule: string,
  { about, says, nearest }: { readonly about: string; readonly says: string; readonly nearest: string },
): Finding {
  return { rule, family: "facts", text: nearest === "" ? says : `${says} ${nearest}`, excerpt: about, about };
}
