import type { CallOptions } from '@agent-criteria/runner/load';
import { milliseconds, usage, wholeNumber } from './arguments.ts';

/** What the flags on judges and other paid calls come to. */
export interface CallFlags {
  /** Judges in place of every model that configs and cases name. */
  readonly judgeModel: string | undefined;
  /** Only what was given. */
  readonly calls: CallOptions;
}

interface Written {
  readonly judge_model?: string;
  readonly no_cache?: boolean;
  readonly record?: string;
  readonly replay?: string;
  readonly recording?: string;
  readonly max_calls?: string;
  readonly max_tokens?: string;
  readonly max_cost?: string;
  readonly max_retries?: string;
  readonly judge_timeout?: string;
  readonly judge_parallelism?: string;
}

/** @throws CriteriaError USAGE for what is no number, and for flags that contradict each other. */
export function readCallFlags(flags: Written): CallFlags {
  const judgeModel = flags.judge_model;
  if (judgeModel?.trim() === '') throw usage('--judge_model needs the name of a model');
  return {
    judgeModel,
    calls: {
      cache: flags.no_cache === true ? false : undefined,
      recording: recordingOf(flags),
      budget: {
        maxCalls: wholeNumber('max_calls', flags.max_calls, 0),
        maxTokens: wholeNumber('max_tokens', flags.max_tokens, 0),
        maxCost: amount('max_cost', flags.max_cost),
      },
      maxRetries: wholeNumber('max_retries', flags.max_retries, 0),
      callTimeout: milliseconds('judge_timeout', flags.judge_timeout),
      calls: wholeNumber('judge_parallelism', flags.judge_parallelism),
    },
  };
}

function recordingOf({ record, replay, recording }: Written): CallOptions['recording'] {
  const modes = { record, replay, auto: recording } as const;
  const given = (['record', 'replay', 'auto'] as const).flatMap((mode) => {
    const file = modes[mode];
    return file === undefined ? [] : [{ mode, file }];
  });
  if (given.length > 1) throw usage('--record, --replay and --recording contradict each other: give one of them');
  if (given[0]?.file.trim() === '') throw usage('name the file of the recording');
  return given[0];
}

function amount(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const number = Number(written);
  if (written.trim() !== '' && Number.isFinite(number) && number >= 0) return number;
  throw usage(`--${name} must be a number from 0 up, not "${written}"`);
}
