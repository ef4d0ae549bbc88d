/**
 * Makes patches that look like a solution but are wrong: with a condition, a sign or a value turned, or without a part.
 * Whether a check finds them shows what it is worth (mutation analysis, DeMillo, Lipton and Sayward 1978).
 */
export function wrongPatches(patch: string, count: number): readonly string[] {
  const most = Math.max(1, count - 2);
  const made = [...spread(mutants(patch), most), ...spread(parts(patch), 2), ...spread(emptied(patch), most)];
  return [...new Set(made)].filter((each) => each !== patch).slice(0, count);
}

const turns: readonly (readonly [RegExp, string])[] = [
  [/===/u, "!=="],
  [/!==/u, "==="],
  [/==/u, "!="],
  [/!=/u, "=="],
  [/<=/u, ">"],
  [/>=/u, "<"],
  [/ < /u, " >= "],
  [/ > /u, " <= "],
  [/&&/u, "||"],
  [/\|\|/u, "&&"],
  [/ and /u, " or "],
  [/ or /u, " and "],
  [/ not in /u, " in "],
  [/\bnot /u, ""],
  [/\btrue\b/u, "false"],
  [/\bfalse\b/u, "true"],
  [/\bTrue\b/u, "False"],
  [/\bFalse\b/u, "True"],
  [/\(!(?=\w)/u, "("],
  [/ \+ (?=[\w(])/u, " - "],
  [/\breturn (?!undefined|null|None|nil)[^;{(]+(;?)$/u, "return null$1"],
  [/\b(?<![\w."'#-])(\d{1,6})\b(?![\w."'])/u, "$1000"],
];
const unchanged = /^\+\s*(?:$|\/\/|#|\*|\/\*|<!--|import\b|from\b|export \*|"""|use\b)/u;

/** One for each added line of code that can be turned. */
function mutants(patch: string): string[] {
  const lines = patch.split("\n");
  return lines.flatMap((line, index) => {
    if (!line.startsWith("+") || line.startsWith("+++ ") || unchanged.test(line)) return [];
    const turn = turns.find(([form]) => form.test(line));
    return turn === undefined ? [] : [lines.with(index, line.replace(turn[0], turn[1])).join("\n")];
  });
}

/** Without one added line of code: an empty one stands for it, so that the patch still fits. */
function emptied(patch: string): string[] {
  const lines = patch.split("\n");
  return lines.flatMap((line, index) =>
    !line.startsWith("+") || line.startsWith("+++ ") || unchanged.test(line) || !/\w{2}/u.test(line)
      ? []
      : [lines.with(index, "+").join("\n")],
  );
}

/** Without one of several files, or one of several hunks of the only file. */
function parts(patch: string): string[] {
  const files = patch.split(/^(?=diff --git )/mu).filter((each) => each !== "");
  if (files.length > 1) return files.map((_, index) => files.toSpliced(index, 1).join(""));
  const [head = "", ...hunks] = (files[0] ?? "").split(/^(?=@@ )/mu);
  return hunks.length < 2 ? [] : hunks.map((_, index) => head + hunks.toSpliced(index, 1).join(""));
}

function spread(items: readonly string[], count: number): string[] {
  if (items.length <= count) return [...items];
  return Array.from(
    { length: count },
    (_, index) => items[Math.floor(((index + 0.5) * items.length) / count)] ?? "",
  );
}
