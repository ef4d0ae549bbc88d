/**
 * The twenty-third migration changes no table: since this version no text with a secret is stored. `loadLedger` removes secrets from
 * the texts of earlier versions, with patterns that SQL does not have.
 */
export const redactedTexts = "SELECT 1";

/** The twenty-fourth migration: whether a session's responses were counted by an earlier version, and not again since. */
export const recountedSessions = "ALTER TABLE sessions ADD COLUMN counted_before INTEGER";
