/** A point on which we differ from ADK Python, and why. */
export interface AdkDifference {
  readonly id: string;
  readonly title: string;
  readonly default: string;
  readonly compat: string;
  readonly reason: string;
}

/** Core's entries in list A: numbers that `compat: 'adk'` switches. Criteria list their own. */
export const adkDifferences: readonly AdkDifference[] = [
  {
    id: 'exact-mean',
    title: 'The mean of the turns',
    default: 'Exact, rounded once.',
    compat:
      'Computed as in each ADK metric: a running sum divided by the count for trajectory, ROUGE, `final_response_match_v2` and per-turn quality; exact for rubrics and hallucinations.',
    reason: 'The order of turns must not change a score.',
  },
  {
    id: 'tolerance',
    title: 'Thresholds',
    default:
      'A score still passes if it misses the threshold by at most 1e-9 of the threshold, or of the range if that is narrower. Near a threshold of 0, the tolerance is the rounding error of doubles at the ends of the range (1e-15 of the larger).',
    compat: 'Raw doubles are compared.',
    reason: 'Scores of 0.7, 0.7 and 0.7 must pass a threshold of 0.7, and 2/3 must pass 0.6666666666666667.',
  },
  {
    id: 'missing-is-a-bound',
    title: 'Missing scores',
    default:
      'A score that could not be judged counts as an unknown: the verdict holds only if no value of that score could change it. The score shown is the mean of the scores there are, with its coverage.',
    compat:
      'The score shown leaves it out, or counts it as 0 where the ADK metric does. The verdict and the exit code are the same as by default.',
    reason: 'A judge that is down says nothing about the agent.',
  },
  {
    id: 'cut-off-answer',
    title: 'An answer that was cut off: an event is `interrupted`, or has the finish reason `MAX_TOKENS`',
    default: 'Criteria that read the answer could not judge it.',
    compat: 'It is an answer like any other.',
    reason: 'The part that is missing could change every opinion.',
  },
  {
    id: 'nothing-expected',
    title:
      'A fixed conversation in which no turn says what is expected: neither an answer nor tool calls, not even an empty list',
    default:
      'Not evaluated if all deciding criteria that apply compare with a reference. Beside a criterion that needs none, it is judged as in ADK.',
    compat: 'No tool calls are expected, so it passes if the agent made none.',
    reason: 'A case that checks nothing must not pass.',
  },
];

/** List B: honesty rules, which cannot be switched off. */
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
    adk: '`adk eval` always exits with 0.',
    ours: '0: everything passed. 1: something failed. 2: a mistake was found before anything ran. 3: something was not evaluated or broke. 130: interrupted.',
    reason: 'A CI job must be able to stop on a failure.',
  },
  {
    id: 'criterion-not-evaluated',
    title: 'A criterion that could not be evaluated',
    adk: 'A crashed metric is NOT_EVALUATED, and the case passes if another metric passed.',
    ours: 'The case is not evaluated, with the reason.',
    reason: 'A judge that is down must not let a case pass.',
  },
  {
    id: 'coverage',
    title: 'Coverage',
    adk: 'Not shown.',
    ours: 'Always shown beside the score. A criterion with less than `min_coverage` (default 1) never passes.',
    reason: 'A score for one turn out of ten says little about the other nine.',
  },
  {
    id: 'config-slips',
    title: 'A config file that does not exist, or a misspelt key',
    adk: 'ADK evaluates its built-in default instead, or nothing.',
    ours: 'An error before the run, with a suggestion.',
    reason: 'If you name a config, you want that config.',
  },
  {
    id: 'thresholds',
    title: 'Thresholds',
    adk: 'ADK accepts `true`, `"0.8"`, and 80 for a score from 0 to 1.',
    ours: 'Errors before the run.',
    reason: 'These are mistakes: with them, either everything or nothing would pass.',
  },
  {
    id: 'custom-function-status',
    title: "A custom function's own status",
    adk: 'The status is the verdict, whatever the score. An overall score counts even if a turn was not evaluated.',
    ours: 'The score is compared with the threshold as usual. If the status contradicts the result, the turn or the case could not be judged, and the reason names both. Neither could a case with an unjudged turn, or with an overall score that is not a number of the range.',
    reason: 'The threshold in the config is the only one that decides.',
  },
  {
    id: 'nothing-to-evaluate',
    title: 'Nothing to evaluate',
    adk: 'No eval set, an empty one, `conversation: []`, or only unknown case ids: nothing runs, and nothing fails.',
    ours: 'Errors before the run. An eval set without cases is a warning where a folder has others.',
    reason: 'A green build in which nothing was checked is the most misleading result.',
  },
  {
    id: 'history-of-a-case',
    title: '`agent_criteria.history` of a case',
    adk: 'It does not read the key: the first turns are run and judged like the others.',
    ours: 'They are given to the agent as what was said before, or sent again to an agent that takes no history. They are never judged.',
    reason:
      'They were recorded, so the agent has not said them. The key occurs only in files that agent-criteria or you wrote.',
  },
  {
    id: 'calls-not-stated',
    title: '`agent_criteria.calls_not_stated` of a case',
    adk: 'It does not read the key: a turn that lists no calls expects none.',
    ours: 'Criteria that compare calls do not apply to these turns. A forbidden tool still fails.',
    reason:
      'Data that says nothing about calls must not turn a good call into a failure. The key occurs only in files that agent-criteria or you wrote.',
  },
  {
    id: 'one-case-that-breaks',
    title: 'A case that breaks',
    adk: 'A different number of turns, or a duplicate rubric id, ends the evaluation of all cases.',
    ours: 'That case is an error or not evaluated. The others continue.',
    reason: 'One bad case says nothing about the others.',
  },
  {
    id: 'input-data',
    title: 'Input data',
    adk: "ADK appends the rubrics of a case to the caller's inferences, so scoring twice fails.",
    ours: 'Inputs are never changed.',
    reason: 'It must be possible to score the same inferences again.',
  },
  {
    id: 'judge-answers',
    title: 'What a judge answers',
    adk: 'Text, which is searched with patterns. An answer that cannot be read is dropped, and a rubric that a sample mentions twice votes twice.',
    ours: 'JSON that follows a schema. If it cannot be read, the judge is asked once more. Each sample has one vote.',
    reason: 'The text being judged must not be able to set its own verdict.',
  },
  {
    id: 'left-out',
    title: 'A rubric or a sentence that the judge leaves out',
    adk: 'It is ignored, and the others decide.',
    ours: 'It could not be judged, and counts as an unknown.',
    reason: 'Otherwise, skipping the hard ones would raise the score.',
  },
  {
    id: 'criterion-that-never-applies',
    title: 'A criterion that no case of the set can satisfy',
    adk: 'The metric raises an exception, which is only logged. It is NOT_EVALUATED, and the others decide.',
    ours: 'An error before the run, which names the criteria that fit. A default criterion that the config does not mention is left out with a warning, as long as another one remains.',
    reason: 'Otherwise, a criterion that was requested but never judged would look as if it had passed.',
  },
  {
    id: 'pairing-without-ids',
    title: 'Calls and responses without ids',
    adk: 'Every call is paired with the last response.',
    ours: 'They are paired in order, by name.',
    reason: 'A judge that sees the response to a different call judges something that did not happen.',
  },
];

/** Inputs that Python accepts in files and agent-criteria rejects. */
export const refusedInputs: readonly { readonly what: string; readonly reason: string }[] = [
  {
    what: 'A duplicate `eval_id`',
    reason: 'Results, filters and resumed runs identify cases by it, so two cases would be mistaken for one.',
  },
  {
    what: 'A duplicate key in one JSON object',
    reason: 'Python keeps the last one, so a list of cases or an expectation would silently disappear.',
  },
  {
    what: 'The key `__proto__`, in arguments too',
    reason: 'It has a special meaning in JavaScript: it could get lost, and two different calls would then be equal.',
  },
  {
    what: '`NaN`, `Infinity`, numbers beyond 1.8e308, integers with hundreds of digits',
    reason:
      'They are not valid JSON, or do not fit into a JavaScript number. A comparison could give a different result than in Python.',
  },
  {
    what: 'Values of another type that pydantic converts: `"1.5"` as a timestamp, `"yes"` as `true`, `tool_input: null` in old data',
    reason: 'They are usually mistakes. The message says what to write instead.',
  },
  {
    what: '`live_model_config`',
    reason: 'Live runs are not supported. Judging a live agent turn by turn would judge a different agent.',
  },
];

/** Inputs that agent-criteria reads from files and Python does not. */
export const ownInputs: readonly { readonly what: string; readonly reason: string; readonly adk: string }[] = [
  {
    what: 'Turns in short: `"user"`, `"answer"` and `"calls"` instead of `user_content`, `final_response` and `intermediate_data`',
    reason: 'What is written by hand should not be four levels deep.',
    adk: '`agent-criteria migrate FILE` rewrites the file in the form of ADK; `validate` mentions such files. A new or changed case is always written in the form of ADK.',
  },
  {
    what: 'Eval cases as a JSON list, or as JSON Lines (`*.evalset.jsonl`)',
    reason: 'Large sets are written by programs, line by line.',
    adk: 'Put the cases into `"eval_cases"` of an eval set.',
  },
  {
    what: 'Comments and trailing commas in JSON',
    reason: "ADK's own pages print them.",
    adk: 'Remove them; a warning names each such file.',
  },
];
