/** The desk as its users see it: over HTTP, with a clock that stands still, and a database in memory. */
import type { AddressInfo } from "node:net";
import { createApp } from "../../src/server/app.ts";
import { Database } from "../../src/server/db/database.ts";
import { migrate } from "../../src/server/db/migrate.ts";
import { openDesk } from "../../src/server/desk.ts";

export interface Answer {
  status: number;
  body: any;
  text: string;
}

export async function openTestDesk(at = "2026-03-02T09:00:00.000Z") {
  const clock = { at, now: () => clock.at };
  const told: string[] = [];
  const db = await Database.open(null);
  migrate(db);
  const desk = openDesk(db, clock, {
    itemReady: (member, item) => told.push(`${member.name}: ${item.assetTag}`),
  });
  const server = createApp(desk, { deskToken: "desk", readerToken: "reader" }, () => undefined).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { authorization: "Bearer desk", "content-type": "application/json", connection: "close" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      body: /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : null,
    };
  }

  let made = 0;
  return {
    db,
    clock,
    told,
    call,
    async addItem(item: Record<string, unknown> = {}): Promise<any> {
      made += 1;
      const tag = `CAM-${String(made).padStart(3, "0")}`;
      const usual = {
        assetTag: tag,
        name: `Camera ${made}`,
        category: "camera",
        dailyFeeCents: 500,
        replacementCents: 90000,
      };
      return (await call("POST", "/items", { ...usual, ...item })).body;
    },
    async addMember(name: string): Promise<any> {
      made += 1;
      return (await call("POST", "/members", { name, email: `m${made}@lab.example`, kind: "student" })).body;
    },
    lend: (item: { id: number }, member: { id: number }) =>
      call("POST", "/loans", { itemId: item.id, memberId: member.id }),
    reserve: (item: { id: number }, member: { id: number }) =>
      call("POST", "/reservations", { itemId: item.id, memberId: member.id }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
