import assert from "node:assert/strict";
import { openTestDesk } from "../shared/desk.ts";

const desk = await openTestDesk();
for (const name of ["Ada", "Bilal", "Chiara", "Dmitri"]) await desk.addMember(name);
const item = await desk.addItem();
const lent = (member: number, returned: string | null) =>
  desk.db.run(
    "INSERT INTO loans (item_id, member_id, lent_at, due_at, returned_at) VALUES (?, ?, '2026-01-01', '2026-01-08', ?)",
    [item.id, member, returned],
  ).id;
const fined = (loan: number, member: number, cents: number, settled: string | null) =>
  desk.db.run(
    "INSERT INTO fines (loan_id, member_id, amount_cents, reason, made_at, settled_at) VALUES (?, ?, ?, 'late', '2026-01-09', ?)",
    [loan, member, cents, settled],
  );

// Ada: three loans, fines of the same amount. Bilal: loans, no fines. Chiara: one loan, two fines. Dmitri: nothing.
const ada = [lent(1, "2026-01-05"), lent(1, "2026-01-06"), lent(1, null)];
fined(ada[0] ?? 0, 1, 500, null);
fined(ada[1] ?? 0, 1, 500, null);
fined(ada[1] ?? 0, 1, 700, "2026-01-10");
lent(2, null);
lent(2, null);
const chiara = lent(3, "2026-01-05");
fined(chiara, 3, 200, "2026-01-10");
fined(chiara, 3, 300, null);

const report = (await desk.call("GET", "/reports/members")).body;
assert.deepEqual(report, [
  { memberId: 1, name: "Ada", loans: 3, open: 1, finedCents: 1700, owedCents: 1000 },
  { memberId: 2, name: "Bilal", loans: 2, open: 2, finedCents: 0, owedCents: 0 },
  { memberId: 3, name: "Chiara", loans: 1, open: 0, finedCents: 500, owedCents: 300 },
  { memberId: 4, name: "Dmitri", loans: 0, open: 0, finedCents: 0, owedCents: 0 },
]);
desk.close();
