/**
 * The lines of list A in docs/adk-parity.md that change scores, by package. The lines listed for core change the scores
 * of every criterion.
 */
export const adkLines: Readonly<Record<string, readonly string[]>> = {
  '@agent-criteria/core': ['exact-mean', 'tolerance', 'missing-is-a-bound', 'cut-off-answer', 'nothing-expected'],
  '@agent-criteria/criteria-efficiency': ['efficiency-unknown', 'efficiency-nested-calls'],
  '@agent-criteria/criteria-hallucination': [
    'hallucination-samples',
    'hallucination-earlier-turns',
    'hallucination-own-words',
    'hallucination-hand-written-steps',
  ],
  '@agent-criteria/criteria-llm-judge': [
    'majority-of-all-samples',
    'failed-call',
    'mean-of-turns',
    'no-expected-answer-judged',
    'question-asked',
    'earlier-turns',
    'claims',
  ],
  '@agent-criteria/criteria-rouge': ['thoughts', 'no-expected-answer', 'no-words'],
  '@agent-criteria/criteria-safety': ['safety-thoughts', 'safety-turn-without-text'],
  '@agent-criteria/criteria-trajectory': ['args-absent-is-empty', 'true-is-not-one', 'transfer-spelling'],
  '@agent-criteria/criteria-vertex': [
    'conversation-thoughts',
    'conversation-hand-written-steps',
    'conversation-nothing-said',
  ],
  '@agent-criteria/user-simulator': [
    'simulator-majority-of-all-samples',
    'unjudged-ending',
    'simulator-intermediate-responses',
  ],
};
