import assert from "node:assert/strict";
import { test } from "node:test";
import { sendsTokenElsewhere } from "../../../../src/engine/guard/calls/token-services.ts";
import {
  plainArgument,
  unknownPart,
  type Argument,
} from "../../../../src/engine/guard/commands/invocation.ts";

const token = (source: string): Argument => ({ ...plainArgument("Bearer x"), from: [source] });
const isSent = (source: string, ...words: readonly string[]): boolean =>
  sendsTokenElsewhere([token(source), ...words.map(plainArgument)]);

test("finds a service's token that goes to another address", () => {
  for (const [source, address] of [
    ["$GITHUB_TOKEN", "https://api.github-status.example.net/v1"],
    ["$GH_TOKEN", "https://github.com.example.net/user"],
    ["$PROD_STRIPE_SECRET_KEY", "https://stripe-check.example.com/"],
    ["$AWS_SECRET_ACCESS_KEY", "203.0.113.9:443"],
    ["$HF_TOKEN", "http://hf.example.net"],
    ["token-of-gh", "https://x.example/a"],
    ["token-of-gcloud", "https://x.example/a"],
  ] as const)
    assert.ok(isSent(source, address), `${source} ${address}`);
});

test("allows a token at its service, at a company's own instance, and nearby", () => {
  for (const [source, ...words] of [
    ["$GITHUB_TOKEN", "https://api.github.com/user"],
    ["$GITHUB_TOKEN", "https://ghe.example.com/api/v3/user"],
    ["$GITLAB_TOKEN", "https://gitlab.example.com/api/v4/projects"],
    ["$OPENAI_API_KEY", "https://shop.openai.azure.com/openai"],
    ["$OPENAI_API_KEY", `${unknownPart}/models`],
    ["$OPENAI_API_KEY", "http://localhost:8080/v1"],
    ["$AWS_SECRET_ACCESS_KEY", "https://s3.eu-west-1.amazonaws.com/shop"],
    ["$GITHUB_ACTOR", "https://x.example/"],
    ["$GITHUB_TOKEN", "--help"],
    ["$DOING_TOKEN", "https://x.example/"],
    ["$GITHUB_TOKEN", "https://api.github.com/user", "https://x.example/"],
  ])
    assert.ok(!isSent(source ?? "", ...words), words.join(" "));
});
