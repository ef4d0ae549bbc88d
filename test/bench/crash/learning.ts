/** Kills a service in each of the ten tasks; the test does it in three. */
process.env["PURSER_TEST_TASKS"] = "all";
await import("../../engine/continuity/host/learning-killed.test.ts");
