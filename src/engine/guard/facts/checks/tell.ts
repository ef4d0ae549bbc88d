import type { Finding } from "../../delivery.ts";

/** Quotes a name as data: on one line, and short. */
export function quoted(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}`]/gu, "?");
  return `\`${plain.length > 200 ? `${plain.slice(0, 200)}…` : plain}\``;
}

/** Joins names as a sentence has them. */
export function listed(names: readonly string[]): string {
  const all = names.map(quoted);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1) ?? ""}`;
}

/** Makes the report about a missing thing: a sentence about it, and one about existing things. */
export function missing(
  rule: string,
  { about, says, nearest }: { readonly about: string; readonly says: string; readonly nearest: string },
): Finding {
  return { rule, family: "facts", text: nearest === "" ? says : `${says} ${nearest}`, excerpt: about, about };
}
