import fc from "fast-check";

/** Marks text that appears in a row's JSON verbatim. Created by `raw`, resolved by `rowText`. */
const rawMark = "\u0001raw:";
const raw = (json: string) => `${rawMark}${json}`;

const oddNumbers = [
  "-1",
  "1.5",
  "1e3",
  "1.0",
  "-0",
  "0",
  "12E-1",
  "9007199254740993",
  "1e999",
  "007",
  "1.",
  "-",
  "0x1f",
];
const counter = fc.oneof(
  { weight: 6, arbitrary: fc.nat() },
  fc.constantFrom(null, "12", true, [], {}, ...oddNumbers.map(raw)),
);
const name = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom("msg_1", "msg_2", "req_1", "claude-opus-5", "claude-opus-5[1m]", ""),
  },
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom("<synthetic>", null, 7, false, ["x"], { id: "msg_1" }),
);
const flag = fc.constantFrom(true, false, false, null, "true", 0);
const time = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date("2200-01-01") })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    "2026-02-30T10:00:00.000Z",
    "2026-04-31T10:00:00.000Z",
    "2026-11-21T24:00:00.000Z",
    "2026-11-21T25:00:00.000Z",
    "2026-11-21T10:0a:00.000Z",
    "2026-11-21T10:00:00Z",
    "21 Nov 2026 10:00 UTC",
    "",
    null,
    1_795_294_069_182,
  ),
);
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 6 });
/** Irrelevant parts of rows, including ones that look relevant. */
const noise = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    { usage: { input_tokens: 5, output_tokens: 6 }, message: { id: "msg_9", usage: { output_tokens: 9 } } },
    '"message":{"id":"msg_8","usage":{"output_tokens":8}},"type":"assistant"}',
    String.raw`a long text with \ and " and ü, longer than what is searched byte by byte: \" \\" \\\ "`.repeat(
      3,
    ),
  ),
);
const iteration = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        type: fc.constantFrom(
          "message",
          "message",
          "fallback_message",
          "advisor_message",
          "compaction",
          "x",
          4,
        ),
        model: fc.constantFrom("claude-opus-5", "claude-haiku-4-5", null, 3),
        input_tokens: counter,
        output_tokens: counter,
        cache_creation_input_tokens: counter,
        cache_read_input_tokens: counter,
      },
      { requiredKeys: [] },
    ),
  },
  fc.constantFrom(null, [], "x", 3),
);
const usage = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        input_tokens: counter,
        output_tokens: counter,
        cache_creation_input_tokens: counter,
        cache_read_input_tokens: counter,
        cache_creation: fc.oneof(
          fc.record(
            { ephemeral_5m_input_tokens: counter, ephemeral_1h_input_tokens: counter },
            { requiredKeys: [] },
          ),
          fc.constantFrom(null, [], 3, "x"),
        ),
        server_tool_use: fc.oneof(
          noise,
          fc.record({ web_search_requests: counter, web_fetch_requests: counter }, { requiredKeys: [] }),
        ),
        speed: fc.oneof(fc.constantFrom("fast", "standard", null, 3)),
        inference_geo: fc.constantFrom("us", "US", "global", "", null),
        service_tier: fc.constantFrom("batch", "standard", "priority", 1),
        iterations: fc.oneof(noise, fc.array(iteration, { maxLength: 4 })),
      },
      { requiredKeys: [] },
    ),
  },
  fc.constantFrom(null, [], "x", 3, { input_tokens: 3 }),
);
const message = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ id: name, model: name, usage, content: noise, role: name }, { requiredKeys: [] }),
  },
  fc.constantFrom(null, [], "x", 3),
);
const data = fc.oneof(
  fc.record({
    type: name,
    message: fc.oneof(
      fc.record({ type: name, message, uuid: name, requestId: name, timestamp: time }, { requiredKeys: [] }),
      fc.constantFrom(null, [], "x"),
    ),
  }),
  noise,
);

/** A transcript row of any kind, with valid and invalid parts. `undefined` members are omitted. */
const row = fc.record({
  type: fc.constantFrom(
    "assistant",
    "assistant",
    "assistant",
    "progress",
    "system",
    "api-request",
    "attachment",
    "user",
    5,
    undefined,
  ),
  subtype: sometimes(fc.constantFrom("compact_boundary", "compact_boundary", "turn_duration", 3)),
  message: sometimes(message),
  uuid: sometimes(name),
  requestId: sometimes(name),
  timestamp: sometimes(time),
  sessionId: sometimes(name),
  cwd: sometimes(name),
  isSidechain: sometimes(flag),
  isApiErrorMessage: fc.option(flag, { nil: undefined, freq: 2 }),
  requestedModel: sometimes(name),
  requestSessionId: fc.option(name, { nil: undefined, freq: 2 }),
  compactMetadata: sometimes(
    fc.oneof(
      fc.record(
        {
          trigger: fc.constantFrom("auto", "manual", "other", null, 3),
          preTokens: counter,
          postTokens: counter,
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom(null, [], "auto"),
    ),
  ),
  params: sometimes(
    fc.oneof(
      fc.record({
        betas: fc.oneof(fc.array(fc.oneof(fc.constantFrom("context-1m-2025-08-07", "b"), noise)), noise),
      }),
      noise,
    ),
  ),
  attachment: sometimes(
    fc.oneof(
      fc.record({
        type: fc.constantFrom("model", "date", 3),
        identity: fc.oneof(fc.record({ modelId: name }), noise),
      }),
      noise,
    ),
  ),
  data: sometimes(data),
  toolUseResult: sometimes(noise),
});

/** The JSON text of an arbitrary row: members in any order, any white space, any letters escaped. */
export const rowText: fc.Arbitrary<string> = fc
  .record({
    value: row,
    choices: fc.array(fc.nat(), { minLength: 16, maxLength: 64 }),
    indent: fc.constantFrom("", " ", "\t"),
    hasEscapes: fc.boolean(),
  })
  .map(({ value, choices, indent, hasEscapes }) => {
    const choose = (index: number) => choices[index % choices.length] ?? 0;
    const members = Object.entries(value)
      .filter(
        ([key, member]) => member !== undefined && (key !== "attachment" || value.type === "attachment"),
      )
      .map((member, index) => ({ member, place: choose(index) }))
      .sort((one, other) => one.place - other.place)
      .map(({ member }) => member);
    const json = JSON.stringify(Object.fromEntries(members), undefined, indent).replaceAll("\n", "\r");
    const withNumbers = json.replaceAll(/"\\u0001raw:([^"]*)"/gu, "$1");
    return hasEscapes ? withEscapes(withNumbers, choose) : withNumbers;
  });

/**
 * Writes some letters, including those of keys, as `\u0061`. Numbers and literals are outside strings and stay as they
 * are.
 */
function withEscapes(json: string, choose: (index: number) => number): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, (text) =>
    text.replaceAll(/(?<!\\)[g-t_]/gu, (letter, index: number) =>
      choose(index) % 5 === 0 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
    ),
  );
}
