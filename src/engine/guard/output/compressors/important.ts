/** Words of lines about an error, a warning or a failed test. A line with one is not left out just for its place. */
const important =
  /error|fail|fatal|panic|exception|warn|assert|expected|received|actual|denied|refused|rejected|cannot|could ?n.t|could not|unable|not found|no such|missing|invalid|unresolved|undefined|unexpected|killed|timed? ?out|abort|traceback|fault|vulnerab|conflict|deprecat|critical|unmet|err!|not ok|destroy|replace|back-?off|crashloop|evicted|pending|not ?ready|unhealthy|\boom|fehler|verweiger|fehlgeschlagen|warnung|ungültig|erreur|échec|échoué|avertissement|fallo|fallido|advertencia|errore|fallit|falha|erro\b|ошибк|отказ|предупрежд|エラー|失敗|警告|拒否|不足|错误|錯誤|失败|拒绝|오류|실패|경고|[✗✖×✕●❌⚠]/iu;

/** Parts of those words in ASCII. A line without one, and without a sign of those words, is not searched further. */
const stems =
  "err|fail|fatal|panic|exception|warn|assert|expected|received|actual|denied|refused|rejected|cannot|could|unable|not found|no such|missing|invalid|unresolved|undefined|killed|timeout|timedout|time out|timed out|abort|traceback|fault|vulnerab|conflict|deprecat|critical|unmet|not ok|destroy|replace|backoff|back-off|crashloop|evicted|pending|notready|not ready|unhealthy|oom|fehl|verweiger|avertissement|fallo|fallido|advertencia|fallit|falha";

/** Signs and letters of other scripts that occur in one of those words. */
const signs = new Set(
  `${important.source}${important.source.toUpperCase()}`
    .split("")
    .map((sign) => sign.charCodeAt(0))
    .filter((code) => code > 127),
);

/** Number of symbols: letters of any case, a space, a dash, and all others. */
const symbols = 29;
const symbolOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = code | 32;
  if (code >= 65 && letter >= 97 && letter <= 122) return letter - 97;
  return code === 32 ? 26 : code === 45 ? 27 : 28;
});
const found = -1;
/** The next state by state and symbol of a machine that finds any stem in one pass (Aho and Corasick, 1975). */
const next = machine();

function machine(): Int16Array {
  const states: { readonly to: number[]; fallback: number; isEnd: boolean }[] = [];
  const add = () => states.push({ to: new Array<number>(symbols).fill(0), fallback: 0, isEnd: false }) - 1;
  add();
  for (const stem of stems.split("|")) {
    let state = 0;
    for (const sign of stem) {
      const symbol = symbolOf[sign.charCodeAt(0)] ?? 0;
      const to = states[state]?.to ?? [];
      state = to[symbol] ||= add();
    }
    const last = states[state];
    if (last !== undefined) last.isEnd = true;
  }
  const table = new Int16Array(states.length * symbols);
  // Shorter states come first, as each falls back to a shorter one.
  const queue = [0];
  for (const state of queue) {
    const from = states[state];
    if (from === undefined) continue;
    for (const [symbol, to] of from.to.entries()) {
      const fallback = state === 0 ? 0 : (table[from.fallback * symbols + symbol] ?? 0);
      const target = states[to];
      if (to === 0 || target === undefined) {
        table[state * symbols + symbol] = fallback;
        continue;
      }
      target.fallback = Math.max(0, fallback);
      table[state * symbols + symbol] = target.isEnd || fallback === found ? found : to;
      queue.push(to);
    }
  }
  return table;
}

/** Whether a line is about an error, a warning or a failure, in any of several languages. */
export function isImportant(line: string): boolean {
  return maySay(line) && important.test(line);
}

function maySay(line: string): boolean {
  let state = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code < 128) {
      state = next[state * symbols + (symbolOf[code] ?? 0)] ?? 0;
      if (state === found) return true;
    } else {
      if (signs.has(code)) return true;
      state = 0;
    }
  }
  return false;
}
