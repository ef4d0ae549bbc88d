/** @jsxRuntime automatic @jsxImportSource react */
import { button, click, draw, enter, find, later, settle } from "../shared/page.ts";
import assert from "node:assert/strict";

const { MemberForm } = await import("../../src/admin/components/MemberForm.tsx");
const { ApiError } = await import("../../src/admin/api.ts");

let answer = later<void>();
const joined: unknown[] = [];
const { place } = await draw(
  <MemberForm
    onJoin={(member) => {
      joined.push(member);
      return answer.promise;
    }}
  />,
);
const field = (name: string) => find(place, `[name=${name}]`);
const submit = async () => {
  await click(button(place, /^Join/));
  await settle();
};
/** What is said of a field, to those who see it and to those who hear it. */
const said = (name: string) => {
  const ids = (field(name).getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  return ids.map((id: string) => document.getElementById(id)?.textContent ?? "").join(" ");
};
const wrong = (name: string) => field(name).getAttribute("aria-invalid") === "true";
const values = () => ["name", "email", "kind"].map((name) => field(name).value);

assert.deepEqual(
  [wrong("name"), wrong("email"), said("name")],
  [false, false, ""],
  "nothing is wrong before it is sent",
);
await submit();
assert.deepEqual(joined, [], "a member without a name was sent");
assert.ok(wrong("name") && wrong("email"));
assert.match(said("name"), /name/i);
assert.match(said("email"), /mail/i);
assert.equal(document.activeElement?.getAttribute("name"), "name", "the focus is not on what is wrong");

await enter(field("name"), "  Ada Brandt ");
await enter(field("email"), "ada@nowhere");
await submit();
assert.deepEqual(joined, []);
assert.deepEqual([wrong("name"), wrong("email")], [false, true]);
assert.equal(said("name"), "");
assert.equal(document.activeElement?.getAttribute("name"), "email");

await enter(field("email"), " Ada@lab.example ");
await enter(field("kind"), "staff");
await submit();
assert.deepEqual(
  joined,
  [{ name: "Ada Brandt", email: "Ada@lab.example", kind: "staff" }],
  "what is sent is trimmed",
);
assert.equal(button(place, /^Join/).disabled, true, "it can be sent twice");
assert.match(values()[0] ?? "", /Ada Brandt/, "what was typed is gone before anybody took it");

let before = answer;
answer = later();
before.fail(new ApiError(409, "email_taken", "ada@lab.example is a member's already"));
await settle();
assert.ok(wrong("email"));
assert.match(
  said("email"),
  /member's already/,
  "what the server says of the e-mail is not said at the e-mail",
);
assert.equal(wrong("name"), false);
assert.match(values()[0] ?? "", /Ada Brandt/);
assert.equal(field("kind").value, "staff");
assert.equal(button(place, /^Join/).disabled, false);

await enter(field("email"), "ada.brandt@lab.example");
await submit();
before = answer;
answer = later();
before.fail(new ApiError(500, "internal", "Something went wrong"));
await settle();
assert.match(find(place, "[role=alert]").textContent, /Something went wrong/);
assert.equal(wrong("email"), false);
assert.match(values()[1] ?? "", /ada\.brandt/);

await submit();
assert.equal(place.querySelector("[role=alert]"), null, "the error of before is still shown");
answer.keep();
await settle();
assert.deepEqual(values(), ["", "", "student"], "a new member needs an empty form");
assert.equal(joined.length, 3);
assert.deepEqual([wrong("name"), wrong("email")], [false, false]);
process.exit(0);
