/** A place where we differ from ADK Python, and why. */
export interface AdkDifference {
  readonly id: string;
  readonly title: string;
  readonly default: string;
  readonly compat: string;
  readonly reason: string;
}

/** Core's lines of list A: numbers, which `compat: 'adk'` switches. Criteria have lines of their own. */
export const adkDifferences: readonly AdkDifference[] = [
  {
    id: 'exact-mean',
    title: 'The mean of the turns',
    default: 'Exact, rounded once.',
    compat:
      'As the metric takes it: a running sum divided by the count for trajectory, ROUGE, `final_response_match_v2` and per-turn quality; exact for rubrics and hallucinations.',
    reason: 'The order of turns must not change a score.',
  },
  {
    id: 'tolerance',
    title: 'Thresholds',
    default:
      'A score passes a threshold that it misses by at most 1e-9 of the threshold, or of the range where that is narrower; beside a threshold near 0, by what doubles lose at the ends of the range (1e-15 of the larger).',
    compat: 'Raw doubles are compared.',
    reason: '0.7, 0.7, 0.7 must pass 0.7, and 2/3 a threshold written as 0.6666666666666667.',
  },
  {
    id: 'missing-is-a-bound',
    title: 'Missing scores',
    default:
      'A score that could not be judged stays in as an unknown: the verdict stands only if no value of it could change it. The score shown is the mean of what was scored, with its coverage.',
    compat:
      'The score shown drops it, or counts it as 0 where the metric of ADK does. Verdict and exit code stay as in the default.',
    reason: 'A judge that is down is neither a pass nor a fail.',
  },
];

/** List B: honesty, which nothing switches off. */
export const honestDifferences: readonly {
  readonly id: string;
  readonly title: string;
  readonly adk: string;
  readonly ours: string;
  readonly reason: string;
}[] = [
  {
    id: 'exit-codes',
    title: 'Exit codes',
    adk: '`adk eval` exits 0 whatever the verdicts.',
    ours: '0 all passed, 1 something failed, 2 a mistake found before anything ran, 3 not evaluated or broken, 130 interrupted.',
    reason: 'A CI job must be able to stop on a failure.',
  },
  {
    id: 'criterion-not-evaluated',
    title: 'A criterion that could not be evaluated',
    adk: 'A crashed metric is NOT_EVALUATED, and the case passes if another one passed.',
    ours: 'The case is not evaluated, with the reason.',
    reason: 'A judge that is down must not let a case pass.',
  },
  {
    id: 'coverage',
    title: 'Coverage',
    adk: 'Not shown.',
    ours: 'Always shown beside the score; below `min_coverage` (default 1) nothing passes.',
    reason: 'A score of one turn in ten is not a score of ten.',
  },
  {
    id: 'config-slips',
    title: 'A config that does not exist, or misspelt keys',
    adk: 'The built-in default, or nothing, is evaluated instead.',
    ours: 'An error before the run, with a suggestion.',
    reason: 'Whoever names a config wants that one.',
  },
  {
    id: 'thresholds',
    title: 'Thresholds',
    adk: '`true`, `"0.8"` and 80 for a score of 0 to 1 are accepted.',
    ours: 'Errors before the run.',
    reason: 'They are slips: nothing, or everything, would pass.',
  },
  {
    id: 'custom-function-status',
    title: "A custom function's own status",
    adk: 'It is the verdict, whatever the number beside it says.',
    ours: 'The number is judged as any other; a status that contradicts it makes the turn could-not-judge, naming both.',
    reason: 'One threshold decides, and it stands in the config.',
  },
  {
    id: 'nothing-to-evaluate',
    title: 'Nothing to evaluate',
    adk: 'No eval set, an empty one, `conversation: []`, or only unknown case ids: nothing runs and nothing fails.',
    ours: 'Errors before the run.',
    reason: 'Green with nothing checked is the worst lie of all.',
  },
  {
    id: 'one-case-that-breaks',
    title: 'One case that breaks',
    adk: 'Another number of turns, or a rubric id used twice, ends the evaluation of all cases.',
    ours: 'That case is not evaluated or an error, and the others go on.',
    reason: 'One bad case says nothing of the others.',
  },
  {
    id: 'input-data',
    title: 'Input data',
    adk: "Case rubrics are appended to the caller's inferences: scoring twice fails.",
    ours: 'Inputs are never changed.',
    reason: 'Yesterday’s inferences must be scored again tomorrow.',
  },
  {
    id: 'judge-answers',
    title: 'What a judge answers',
    adk: 'Text that patterns look through: an answer that cannot be read is dropped, and a rubric that a sample names twice votes twice.',
    ours: 'JSON by a schema, read exactly and asked for once more if it cannot be read; each sample has one vote.',
    reason: 'The judged text must not be able to give itself a verdict.',
  },
  {
    id: 'left-out',
    title: 'A rubric or a sentence that the judge leaves out',
    adk: 'It is absent: the others decide.',
    ours: 'It could not be judged, which stays in as an unknown.',
    reason: 'Leaving out what is hard would raise the score.',
  },
  {
    id: 'criterion-that-never-applies',
    title: 'A criterion that no case of the set can satisfy',
    adk: 'It raises, which is logged only; it is NOT_EVALUATED, and the others decide.',
    ours: 'An error before the run, which names the criteria that fit. A default criterion, which no config asks for, is left out with a warning, unless none is left.',
    reason: 'A criterion that was asked for and never judged would look like one that passed.',
  },
  {
    id: 'pairing-without-ids',
    title: 'Calls and responses without ids',
    adk: 'Every call is paired with the last response.',
    ours: 'They are paired in order, by name.',
    reason: 'A judge that is shown the response to another call judges what did not happen.',
  },
];

/** What Python reads of files, and agent-criteria refuses. */
export const refusedInputs: readonly { readonly what: string; readonly reason: string }[] = [
  {
    what: 'A duplicate `eval_id`',
    reason: 'Results, filters and resumed runs name cases by it: two would be taken for one.',
  },
  {
    what: 'A duplicate key in one JSON object',
    reason: 'Python keeps the last: a list of cases, or an expectation, would be gone without a word.',
  },
  {
    what: 'The key `__proto__`, also in arguments',
    reason:
      'JavaScript takes it for something else: it could vanish on its way, and two different calls would be equal.',
  },
  {
    what: '`NaN`, `Infinity`, numbers beyond 1.8e308, integers with hundreds of digits',
    reason: 'They are not JSON, or no number here can hold them: a comparison would say something else than in Python.',
  },
  {
    what: 'Values of another type that pydantic converts: `"1.5"` as a timestamp, `"yes"` as `true`, `tool_input: null` in old data',
    reason: 'They are slips more often than meant. The message has the value that is meant.',
  },
  {
    what: '`live_model_config`',
    reason: 'Live runs are not supported: judging a live agent turn by turn would judge another agent.',
  },
];
