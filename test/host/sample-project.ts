/** The small project that the recorded session works on, as VS Code shows it: path to text. */
export const sampleProject: Readonly<Record<string, string>> = {
  "README.md": `# Harbor

Tide tables and berth bookings for a small harbor, by month.

- \`src/tide.ts\` predicts high and low water, in summer and winter time
- \`src/berth.ts\` keeps the twelve berths
- \`src/ledger.ts\` books who paid for what

Run the checks with \`node check.mjs\`.
`,
  "check.mjs": `console.log("14 checks passed");
`,
  "src/tide.ts": `/** Minutes between the tables, which know no summer time, and the clock on the wall. */
const winterShift = 60;

/** One high or low water. */
export interface Tide {
  readonly kind: "high" | "low";
  /** Minutes since midnight, local time. */
  readonly minute: number;
  /** Metres above chart datum. */
  readonly height: number;
}

const table: readonly Tide[] = [
  { kind: "low", minute: 32, height: 0.6 },
  { kind: "high", minute: 412, height: 3.9 },
  { kind: "low", minute: 786, height: 0.7 },
  { kind: "high", minute: 1157, height: 4.1 },
];

/** The tides of a day. In winter the tables run an hour ahead of the wall clock. */
export function tidesOf(day: Date): readonly Tide[] {
  const shift = isWinter(day) ? winterShift : 0;
  return table.map((tide) => ({ ...tide, minute: tide.minute - shift }));
}

function isWinter(day: Date): boolean {
  const month = day.getMonth();
  return month < 2 || month > 9;
}
`,
  "src/berth.ts": `export const berths = 12;
export const ledger = "book";
`,
  "src/ledger.ts": `export interface Entry {
  readonly berth: number;
  readonly month: string;
  readonly paid: number;
}

export const entries: Entry[] = [];
`,
};
