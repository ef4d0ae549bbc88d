/** People write a recurring agent's name in other ways: trackers ignore case, and `@` may precede it. */

export function namesAgent(agent: string, given: string | null): boolean {
  return given !== null && plain(given) === agent;
}

function plain(name: string): string {
  return name.normalize("NFKC").trim().replace(/^@/u, "").toLowerCase();
}

/** `quoted`: only in a quotation, in code, or as part of an address, as services read it. */
export function mentionIn(text: string, agent: string): "direct" | "quoted" | "none" {
  // Names of recurring agents are letters, digits and hyphens: nothing is to be escaped.
  const name = `@${agent}(?!_*[A-Za-z0-9]|-[A-Za-z0-9])`;
  // Input methods of East Asian languages write a wide @.
  const given = text.normalize("NFKC");
  if (new RegExp(`(?<![A-Za-z0-9@/\\\\])${name}(?!/[A-Za-z0-9])`, "iu").test(ownWords(given)))
    return "direct";
  return new RegExp(`(?<![A-Za-z0-9@])${name}`, "iu").test(given) ? "quoted" : "none";
}

/** Without code and quotations. */
function ownWords(text: string): string {
  return text
    .replaceAll(/^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?(?:^ {0,3}\1.*$|(?![\s\S]))/gmu, "")
    .replaceAll(/(?<!`)(`{1,8})(?!`)[^\n]{0,2000}?[^`]\1(?!`)/gu, " ")
    .replaceAll(/^[ \t]*>.*$/gmu, "");
}
