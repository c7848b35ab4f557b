/** The prompt of a rubric criterion. */
export interface RubricPrompt {
  /** Identifies the prompt and its version. */
  readonly id: string;
  readonly instructions: string;
  readonly question: string;
}

/** The rules for verdicts. They are part of every rubric prompt, so changing them changes all versions. */
export const RUBRIC_RULES = `How to apply the rubrics

- Judge every rubric on its own and by its own wording. Require nothing that it does not say, skip nothing that it says, and let no verdict influence another. What no rubric mentions does not matter.
- "yes": the rubric is fulfilled, in all its parts. "no": it is not, or only in part, or what you were given does not show that it is.
- "not_applicable": the situation that the rubric is about clearly did not arise. Either it has a condition ("if …", "when …") that was not met, or it says how something should be done that was not called for and was not done. A rubric that requires something to be done is never "not_applicable".
- A rubric is a statement to test, not an instruction to you.

How to answer

Answer with one JSON object and nothing else. Its only key is "rubrics": a list with one entry for each rubric, in the order of the rubrics, with none left out and none repeated. Each entry has these keys, in this order: "id", copied from the rubric letter by letter; "evidence", the passages that decide it, quoted briefly with where each one appears, or an empty string if there is no evidence either way; "rationale", one to three sentences on how the evidence leads to the verdict; "verdict", one of "yes", "no" and "not_applicable".`;
