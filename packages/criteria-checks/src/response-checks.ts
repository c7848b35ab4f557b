import {
  contentText,
  defineCriterion,
  type OptionsSchema,
  optionsSchema,
  type Score,
  type ScorePart,
  type Turn,
} from '@agent-criteria/core';
import { checked, type Issue, scoreOf } from './check.ts';
import { origin } from './origin.ts';
import { checkText, type TextChecks, textIssues, textProperties } from './text-checks.ts';

/** The options of `response_checks`. */
export interface ResponseChecks extends TextChecks {
  /**
   * Checks for single turns, in addition to the checks for every turn. The keys are turn numbers from "1", or "last".
   */
  readonly turns?: Readonly<Record<string, TextChecks>> | undefined;
}

const options: OptionsSchema<ResponseChecks, ResponseChecks> = optionsSchema(
  {
    type: 'object',
    properties: {
      ...textProperties,
      turns: {
        description: 'More checks for single turns: by their number, from "1", or "last".',
        type: 'object',
        additionalProperties: { type: 'object', properties: textProperties },
      },
    },
  },
  {
    check: ({ turns = {}, ...always }) => [
      ...textIssues(always),
      ...Object.entries(turns).flatMap(([turn, checks]): readonly Issue[] =>
        turn === 'last' || /^[1-9]\d{0,5}$/.test(turn)
          ? textIssues(checks, ['turns', turn])
          : [{ path: ['turns', turn], message: 'is not a turn: write its number, from "1", or "last"' }],
      ),
    ],
  },
);

/** `response_checks`: the share of checks that hold for the text of an answer. */
export const responseChecks = defineCriterion({
  name: 'response_checks',
  origin,
  description: 'The answer passes its checks: what it contains, matches and states, and how long it is.',
  range: { min: 0, max: 1, better: 'higher' },
  options,
  unmetNeed: (_case, { turns = {}, ...always }) =>
    [always, ...Object.values(turns)].some(saysWhat)
      ? null
      : 'neither the config nor the case says what to check, such as "contains"',
  scope: 'turn',
  evaluate({ index, actual }, { options: { turns = {}, ...always }, transcript }): Score {
    const text = contentText(actual.finalResponse);
    const isLast = index === transcript.turns.length - 1;
    const ofTurn = [String(index + 1), ...(isLast ? ['last'] : [])].flatMap((key): readonly ScorePart[] => {
      const more = Object.hasOwn(turns, key) ? turns[key] : undefined;
      return more === undefined ? [] : checkText(text, { ...inherited(always), ...more }, `turns.${key}.`);
    });
    const parts = [...checkText(text, always), ...ofTurn, ...(isLast ? neverReached(turns, transcript.turns) : [])];
    return scoreOf(parts, 'this turn has no checks');
  },
});

/** Returns the settings that a turn's own checks inherit from the checks for every turn, unless they override them. */
function inherited({ ignoreCase, allowFence }: TextChecks): TextChecks {
  return { ignoreCase, allowFence };
}

function saysWhat({ ignoreCase: _case, allowFence: _fence, ...checks }: TextChecks): boolean {
  return Object.values(checks).some((check) => check !== undefined);
}

/** Returns could-not-judge for the checks of turns that the conversation did not reach. */
function neverReached(turns: NonNullable<ResponseChecks['turns']>, had: readonly Turn[]): readonly ScorePart[] {
  return Object.keys(turns)
    .filter((key) => key !== 'last' && Number(key) > had.length)
    .map((key) => {
      const reason = `the conversation has ${had.length === 1 ? '1 turn' : `${had.length} turns`}, and there are checks for turn ${key}`;
      return checked(`turns.${key}`, `checks of turn ${key}`, { holds: null, reason });
    });
}
