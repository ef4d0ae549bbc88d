import { sentence } from "../../../base/language.ts";
import type { Node } from "jsonc-parser";
import { fail, succeed, type Result } from "../../../base/result.ts";
import { valueOf, type JsonDocument } from "./json-document.ts";
import { type HookFormat, isOwnHandler } from "./install-settings-entry.ts";

export interface HookTree {
  readonly root: Node;
  /** The `hooks` member and its object. */
  readonly hooks: Member | null;
  readonly events: ReadonlyMap<string, Member>;
  /** The handlers that are purser's, in document order. */
  readonly own: readonly OwnHandler[];
}

interface Member {
  readonly property: Node;
  readonly value: Node;
}

export interface OwnHandler {
  readonly event: string;
  readonly node: Node;
  readonly value: unknown;
  /** The matcher of its group; null without one. */
  readonly matcher: string | null;
  /** From the handler outwards: each container, with its child that holds the handler. */
  readonly within: readonly {
    readonly container: Node;
    readonly child: Node;
    readonly name: string | null;
  }[];
}

/** Finds the hooks. A file of another shape is left alone: agents may not read it, or not as we would. */
export function readHookTree(
  { root }: JsonDocument,
  { isGrouped }: HookFormat,
): Result<HookTree | null, "other_shape"> {
  if (root === null) return succeed(null);
  if (root.type !== "object") return fail("other_shape", sentence("it holds no object"));
  const found = onlyMember(root, "hooks");
  if (!found.ok) return found;
  const hooks = found.value;
  if (hooks === null) return succeed({ root, hooks, events: new Map(), own: [] });
  if (hooks.value.type !== "object") return fail("other_shape", sentence('its "hooks" is no object'));
  const events = new Map<string, Member>();
  for (const name of memberNames(hooks.value)) {
    const member = onlyMember(hooks.value, name);
    if (!member.ok) return member;
    if (member.value?.value.type !== "array")
      return fail("other_shape", sentence("its hooks of {0} are no list", JSON.stringify(name)));
    events.set(name, member.value);
  }
  const own = [...events].flatMap(([event, member]) => {
    const outside = [
      { container: hooks.value, child: member.property, name: `hooks.${event}` },
      { container: root, child: hooks.property, name: "hooks" },
    ];
    return handlersOf(member.value, isGrouped).flatMap(({ node, within, matcher }) => {
      const value: unknown = valueOf(node);
      return isOwnHandler(value) ? [{ event, node, value, matcher, within: [...within, ...outside] }] : [];
    });
  });
  return succeed({ root, hooks, events, own });
}

type Found = Pick<OwnHandler, "node" | "matcher" | "within">;

function handlersOf(list: Node, isGrouped: boolean): Found[] {
  const children = list.children ?? [];
  if (!isGrouped) return children.map((node) => ({ node, matcher: null, within: [step(list, node)] }));
  return children.flatMap((group) => {
    const handlers = group.type === "object" ? onlyMember(group, "hooks") : null;
    if (handlers?.ok !== true || handlers.value?.value.type !== "array") return [];
    const { value } = handlers.value;
    const matcher = matcherOf(group);
    return (value.children ?? []).map((node) => ({
      node,
      matcher,
      within: [step(value, node), step(list, group)],
    }));
  });
}

function matcherOf(group: Node): string | null {
  const found = onlyMember(group, "matcher");
  const value: unknown = found.ok ? found.value?.value.value : undefined;
  return typeof value === "string" ? value : null;
}

function step(container: Node, child: Node): OwnHandler["within"][number] {
  return { container, child, name: null };
}

function memberNames(object: Node): string[] {
  return (object.children ?? []).flatMap(({ children }) => {
    const name: unknown = children?.[0]?.value;
    return typeof name === "string" ? [name] : [];
  });
}

/** Rejects a duplicate member: agents differ in which of the two they take. */
export function onlyMember(object: Node, name: string): Result<Member | null, "other_shape"> {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  const [property] = found;
  const value = property?.children?.[1];
  if (found.length > 1) return fail("other_shape", sentence("it has {0} twice", JSON.stringify(name)));
  return succeed(property === undefined || value === undefined ? null : { property, value });
}
