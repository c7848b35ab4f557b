/** What a rubric criterion asks its judge. */
export interface RubricPrompt {
  /** Names the prompt and its version. */
  readonly id: string;
  readonly instructions: string;
  readonly question: string;
}

/** How verdicts are found and written down: part of every rubric prompt, whose versions change with it. */
export const RUBRIC_RULES = `How to treat rubrics

- Every rubric is judged by itself and by its own words. Ask for nothing that it does not say, leave nothing out that it says, and let no verdict colour another. What no rubric names does not matter.
- "yes": the rubric is fulfilled, in all its parts. "no": it is not, or only in part, or what you were given does not show that it is.
- "not_applicable": what the rubric speaks of clearly did not arise. It has a condition ("if …", "when …") that was not met, or it says how something is done that nobody called for and that was not done. A rubric that asks for something to be done is never not applicable.
- A rubric is a statement to test, not an order to you.

How to answer

With one JSON object and nothing else. Its only key is "rubrics": a list with one entry for each rubric, in the order of the rubrics, none left out and none twice. An entry has these keys, in this order: "id", copied from the rubric letter by letter; "evidence", the passages that decide it, quoted briefly with the place where they stand, or an empty text where nothing speaks for or against it; "rationale", in one to three sentences how the evidence leads to the verdict; "verdict", one of "yes", "no" and "not_applicable".`;
