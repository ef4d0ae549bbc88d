import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutCellsEnd } from "../../../../src/engine/cli/text-cells.ts";
import { sessionNames, shortIds } from "../../../../src/engine/cli/sessions/session-names.ts";

const now = new Date(2026, 10, 21, 10).getTime();
const one = { id: "c6bee790-1", title: null, cwd: null, branch: null, lastActivity: null };
const at = new Date(2026, 10, 21, 9, 5).getTime();

test("a session is called by its title, else by project, branch and time", () => {
  const names = sessionNames(
    [
      { ...one, id: "a", title: "The tide table is an hour off", cwd: "/work/harbor" },
      { ...one, id: "b", cwd: "/work/harbor", branch: "winter", lastActivity: at },
      { ...one, id: "c", cwd: String.raw`C:\work\boats`, lastActivity: at - 86_400_000 },
      { ...one, id: "d", title: " " },
    ],
    now,
  );
  assert.deepEqual(
    [...names.values()],
    ["The tide table is an hour off", "harbor · winter · 09:05", "boats · 11-20 09:05", "d"],
  );
});

test("names that begin alike have an id before them", () => {
  const title = "Fix the winter time shift in the tide tables";
  const names = sessionNames(
    [
      { ...one, id: "00000000-1", title },
      { ...one, id: "00000000-2", title: `${title} again` },
      { ...one, id: "00000000-3", title: "Boats" },
    ],
    now,
  );
  assert.deepEqual([...names.values()], [`00000000-1 ${title}`, `00000000-2 ${title} again`, "Boats"]);
});

test("sessions are told apart in a narrow table", () => {
  const session = fc.record({
    id: fc.uuid(),
    title: fc.option(fc.constantFrom("Boats", "Tides", "Fix the winter time shift of all")),
    cwd: fc.option(fc.constantFrom("/work/harbor", "/work/boats")),
    branch: fc.option(fc.constantFrom("main", "winter")),
    lastActivity: fc.option(fc.constant(at)),
  });
  fc.assert(
    fc.property(fc.uniqueArray(session, { selector: ({ id }) => id }), (sessions) => {
      const shown = [...sessionNames(sessions, now).values()].map((name) => cutCellsEnd(name, 24));
      assert.equal(new Set(shown).size, sessions.length);
    }),
  );
  assert.deepEqual([...shortIds(["00000000-1", "00000000-2"]).values()], ["00000000-1", "00000000-2"]);
});
