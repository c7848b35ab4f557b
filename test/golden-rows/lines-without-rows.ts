/**
 * Entries of list A that occur in no golden row, each with the test that demonstrates its effect: the test's file and a
 * text in it.
 */
export const linesWithoutRows: Readonly<Record<string, readonly [file: string, text: string]>> = {
  claims: ofRubrics(),
  'cut-off-answer': ['packages/core/src/scoring/unreadable-turns.test.ts', 'is treated like any other in compat mode'],
  'earlier-turns': ofRubrics(),
  'no-expected-answer-judged': [
    'packages/criteria-llm-judge/src/final-response-match.test.ts',
    'is judged against nothing in compat mode',
  ],
  'conversation-hand-written-steps': ofVertex('conversation-hand-written-steps'),
  'conversation-nothing-said': ofVertex('conversation-nothing-said'),
  'conversation-thoughts': ofVertex('conversation-thoughts'),
  'efficiency-nested-calls': ofEfficiency('efficiency-nested-calls'),
  'efficiency-unknown': ofEfficiency('efficiency-unknown'),
  'hallucination-earlier-turns': ofHallucination('hallucination-earlier-turns'),
  'hallucination-hand-written-steps': ofHallucination('hallucination-hand-written-steps'),
  'hallucination-own-words': ofHallucination('hallucination-own-words'),
  'nothing-expected': ['packages/core/src/scoring/expects-nothing.test.ts', 'is judged as in ADK in compat mode'],
  'safety-thoughts': ofSafety('safety-thoughts'),
  'safety-turn-without-text': ofSafety('safety-turn-without-text'),
  'simulator-intermediate-responses': [
    'packages/user-simulator/src/per-turn-user-simulator-quality.test.ts',
    'includes intermediate texts of agents if the option is set, except in compat mode',
  ],
  'transfer-spelling': [
    'packages/criteria-trajectory/src/tool-trajectory-avg-score.test.ts',
    'a transfer matches in the spellings of both TypeScript and Python',
  ],
};

function ofRubrics() {
  const text = 'receives no earlier turns and only tool steps in compat mode, as in ADK';
  return ['packages/criteria-llm-judge/src/final-response-quality.test.ts', text] as const;
}

function ofVertex(line: string) {
  return ['packages/criteria-vertex/src/conversation-request.test.ts', `'${line}'`] as const;
}

function ofHallucination(line: string) {
  return ['packages/criteria-hallucination/src/adk-differences.test.ts', `'${line}'`] as const;
}

function ofEfficiency(line: string) {
  return ['packages/criteria-efficiency/src/efficiency.test.ts', `'${line}'`] as const;
}

function ofSafety(line: string) {
  return ['packages/criteria-safety/src/safety.test.ts', `'${line}'`] as const;
}
