import { useEffect, useRef, useState } from 'preact/hooks';
import type { TurnAnswer, TurnRunChange, TurnRunDetail } from '../../api.ts';
import { addressOf, ask } from '../api-client.ts';
import { LOADING, type Loaded, loaded } from '../store.ts';
import { useReturn } from '../use-return.ts';

/** Milliseconds between two reads of the answers, of which many may end at once. */
const PACE = 250;

/** Follows a turn run, whose answers arrive bit by bit. */
export function useTurnRun(turnRun: string): Loaded<TurnRunDetail> {
  const [found, setFound] = useState<Loaded<TurnRunDetail>>(LOADING);
  const [change, setChange] = useState<TurnRunChange | null>(null);
  const complete = useRef(0);
  const load = async () => {
    const next = await loaded(() => ask('GET /turn-runs/:turnRun', { turnRun }));
    setFound(next);
  };
  useReturn(() => void load());
  useEffect(() => {
    setFound(LOADING);
    setChange(null);
    complete.current = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void load();
      }, PACE);
    };
    const source = new EventSource(addressOf('GET /turn-runs/:turnRun/changes', { turnRun }));
    source.addEventListener('change', ({ data }) => {
      const next: TurnRunChange = JSON.parse(data);
      setChange((before) => merged(before, next));
      if (next.complete > complete.current) soon();
      complete.current = next.complete;
    });
    source.addEventListener('end', () => {
      source.close();
      void load();
    });
    void load();
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, [turnRun]);
  if (found.state !== 'there' || change === null) return found;
  return {
    state: 'there',
    value: { ...found.value, answers: found.value.answers.map((one) => withChange(one, change)) },
  };
}

function keyOf({ variant, repeat }: Pick<TurnAnswer, 'variant' | 'repeat'>): string {
  return JSON.stringify([variant, repeat]);
}

function merged(before: TurnRunChange | null, next: TurnRunChange): TurnRunChange {
  const all = new Map([...(before?.answers ?? []), ...next.answers].map((one) => [keyOf(one), one]));
  return { ...next, answers: [...all.values()] };
}

function withChange(one: TurnAnswer, { answers }: TurnRunChange): TurnAnswer {
  const next = answers.find((each) => keyOf(each) === keyOf(one));
  return next === undefined ? one : { ...one, ...next };
}
