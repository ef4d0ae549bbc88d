import path from "node:path";

/**
 * Rules for the folders of `src` and `test`, checked by `rooms.test.ts`. A file is identified by its path below `src` or `test`, with
 * slashes.
 */

export const mostFiles = 20;

/** A feature is one word, the same in every layer. */
export const features = [
  "sessions",
  "ledger",
  "budgets",
  "hooks",
  "guard",
  "bench",
  "rules",
  "compare",
  "instructions",
  "report",
  "messages",
  "handover",
  "sample",
  "learn",
  "economy",
];

/**
 * Folders of the layers that are not features: wrappers of the editor, what all panels share, the connection to the service, usage
 * sums, plans of what either rules or a comparison would decide, the state of all that is installed, and the language of the terminal.
 */
export const shared: Readonly<Record<string, readonly string[]>> = {
  extension: ["editor", "panels", "service"],
  webview: ["components"],
  cli: ["service", "usage", "plan", "doctor", "completion", "language"],
};

/** File names that several features share for the same role. Any other name is unique to its file. */
export const roles: Readonly<Record<string, string>> = {
  access: "opens what a command works on",
  actions: "what a person can do in a page, or a command does",
  adapter: "names one agent and where to read it",
  answer: "an answer, and how it is read",
  answers: "the shapes of a room's answers to those who show it",
  arguments: "the arguments of a command line",
  attribution: "which responses are whose",
  badge: "what the status bar or an icon's badge shows",
  call: "one call of a model",
  cells: "a table's cells",
  command: "a command and its options",
  commands: "a list of commands",
  context: "what all parts of a feature share",
  controller: "the host's side of a panel",
  create: "makes one",
  describe: "describes things in words for a person",
  "detail-page": "the page of one",
  diff: "shows what differs",
  entries: "entries of the ledger",
  entry: "registers a feature whose code is loaded later",
  environment: "environment variables",
  export: "writes what is shown into a file",
  feed: "reports changes as they come",
  file: "one file on the disk",
  files: "finds files",
  form: "a form in a page",
  handler: "answers a hook",
  "home-page": "a panel's first page",
  host: "holds a feature for as long as its process or window lives",
  id: "what an id may be",
  history: "reads the calls and outputs of an agent's past",
  install: "puts files where agents read them",
  list: "lists them all",
  load: "reads one whole",
  main: "a program, or a page's script",
  make: "makes one of what was asked",
  measure: "measures it",
  merge: "makes one of several",
  model: "all a page knows",
  mutes: "what a person has silenced",
  "node-text": "a line of a tree",
  notices: "notifications",
  outcome: "the result of a command",
  page: "a page of a panel",
  "page-styles": "styles of a page",
  panel: "a panel of the editor",
  pick: "lets a person choose",
  ports: "what is needed of the machine",
  print: "prints for a person",
  problems: "shows problems",
  progress: "how far a job is",
  propose: "proposes one",
  protocol: "what two sides say to each other",
  queries: "questions in SQL",
  queue: "waiting work",
  reader: "reads on as a source grows",
  record: "what is remembered on the disk",
  recorder: "records what the ledger stores",
  repair: "repairs what is broken",
  request: "a checked request",
  roots: "where an agent keeps its files",
  "row-schema": "the rows of an agent's files",
  rows: "rows as they are read or shown",
  run: "runs it",
  schema: "what is printed or read as JSON",
  select: "chooses rules, or a job that does",
  source: "where answers come from",
  sources: "what can be collected of an agent",
  state: "its state",
  status: "its state, reported",
  "status-bar": "what the status bar shows of it",
  store: "keeps it in files",
  styles: "styles",
  text: "its form as text",
  tokens: "tokens as an agent's files tell them",
  transcript: "reads what an agent did",
  tree: "its parts as a tree",
  "usage-reader": "reads the usage that an agent records",
  view: "its state as it is shown",
  watch: "reads again when something changes",
  "work-rows": "rows of an agent's files about its work",
};

const singular = (word: string) => (/[^s]s$/u.test(word) ? word.slice(0, -1) : word);
const stemOf = (file: string) =>
  path.posix.basename(file).replace(/(?:\.d|\.generated|\.test|\.inside)?\.(?:ts|mjs|js|yaml)$/u, "");
const foldersOf = (file: string) => path.posix.dirname(file).split("/");

/** A thread's or process's program has the name of its bundle, wherever it is. */
const isProgram = (file: string) => stemOf(file).endsWith("-worker");

/** Whether a file is its folder's namesake: `ledger/ledger.ts`. */
function isFoldersOwn(file: string): boolean {
  return singular(stemOf(file)) === singular(foldersOf(file).at(-1) ?? "");
}

/** Files whose name contains their folder's word, or begins with that of an outer folder. */
export function repeatingFiles(files: readonly string[]): string[] {
  return files.filter((file) => {
    if (isProgram(file) || isFoldersOwn(file)) return false;
    const words = stemOf(file).split("-").map(singular);
    const [folder = "", ...around] = foldersOf(file).map(singular).reverse();
    return words.includes(folder) || around.includes(words[0] ?? "");
  });
}

/** Folders with too many files. */
export function fullFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, count]) => (count > mostFiles ? [`${folder} (${count})`] : []));
}

/** The feature or room of a file: `bench` for `extension/bench/panel.ts`, `verdict` for `engine/verdict/judge.ts`. */
function featureOf(file: string): string {
  const [layer = "", ...below] = foldersOf(file).filter((folder) => folder !== "engine");
  return ["extension", "webview", "cli"].includes(layer) ? (below[0] ?? layer) : layer;
}

/** Names that a file may have in another folder as that feature's part there, such as `wire/budgets.ts`. */
const parts = [...features, "jobs"];

/** Names shared by files of different features that do not have the same role. */
export function foreignTwins(files: readonly string[]): string[] {
  const byName = new Map<string, string[]>();
  const isReported = (file: string) =>
    !isFoldersOwn(file) && roles[stemOf(file)] === undefined && !parts.includes(stemOf(file));
  for (const file of files.filter(isReported))
    byName.set(stemOf(file), [...(byName.get(stemOf(file)) ?? []), file]);
  return [...byName.values()].flatMap((twins) =>
    new Set(twins.map(featureOf)).size > 1 ? [twins.join(", ")] : [],
  );
}

/** Folders of the layers that are not named after a feature. */
export function strangeFolders(files: readonly string[]): string[] {
  const folders = files.flatMap((file) => {
    const [layer = "", folder, ...rest] = file.split("/").filter((each) => each !== "engine");
    const also = shared[layer];
    if (also === undefined || folder === undefined || rest.length === 0) return [];
    return features.includes(folder) || also.includes(folder) ? [] : [`${layer}/${folder}`];
  });
  return [...new Set(folders)];
}
