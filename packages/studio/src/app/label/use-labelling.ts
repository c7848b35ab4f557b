import { useEffect, useRef, useState } from 'preact/hooks';
import type { LabelSheetKind, NewLabel, ThingToLabel } from '../../api.ts';
import { ask, messageOf } from '../api-client.ts';
import { complain } from '../toasts.tsx';

/** The kind of items to label, the person who labels and the order. */
export interface LabellingOptions {
  readonly run: string;
  readonly by: string;
  readonly kind: LabelSheetKind;
  /** Order of the items. If empty, the default for the run. */
  readonly draw: string;
  /** Receives the number of items of this kind that the person has labelled. */
  tell(labelled: number): void;
}

/** The next item after a position, or the one at a position. */
type Wanted = { readonly after: number } | { readonly at: number };

/** Serves one item after another and saves its label. */
export function useLabelling({ run, by, kind, draw, tell }: LabellingOptions) {
  const [thing, setThing] = useState<ThingToLabel | 'done' | null>(null);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const [round, setRound] = useState(0);
  const trail = useRef<readonly number[]>([]);
  const busy = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);

  /** Runs one action at a time, so that holding a key down does not label an item before it is shown. */
  const alone = async (work: () => Promise<void>) => {
    if (busy.current) return;
    busy.current = true;
    try {
      await work();
    } finally {
      busy.current = false;
    }
  };
  const show = async (wanted: Wanted) => {
    const query = {
      by,
      criterion: kind.criterion ?? undefined,
      rubric: kind.rubric ?? undefined,
      draw: draw || undefined,
    };
    try {
      const found =
        'after' in wanted
          ? await ask('GET /runs/:run/labels/next', { run, query: { ...query, after: wanted.after } })
          : await ask('GET /runs/:run/labels/things/:at', { run, at: String(wanted.at), query });
      setThing(found ?? 'done');
      setReason(found?.own?.reason ?? '');
      setProblem(undefined);
      heading.current?.focus({ preventScroll: true });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useEffect(() => void alone(() => show({ after: -1 })), []);

  const here = thing === 'done' ? null : thing;
  const give = (label: NewLabel['label']) =>
    alone(async () => {
      if (here === null || (label === null) !== (here.own !== null)) return;
      const said = label === null ? null : reason.trim() || null;
      const body: NewLabel = { ...here.about, label, reason: said, by, scoring: here.scoring, drawn: here.drawn };
      try {
        const { labelled, judge } = await ask('POST /runs/:run/labels', { run, body });
        setThing({ ...here, labelled, own: label === null ? null : { label, reason: said }, judge });
        setRound(round + 1);
        tell(labelled);
      } catch (error) {
        complain(error);
      }
    });
  const forward = () =>
    alone(async () => {
      if (here === null) return;
      trail.current = [...trail.current, here.at];
      await show({ after: here.at });
    });
  const back = () =>
    alone(async () => {
      const before = trail.current.at(-1);
      if (before === undefined) return;
      trail.current = trail.current.slice(0, -1);
      await show({ at: before });
    });
  return { thing, here, reason, setReason, problem, round, heading, trail: trail.current, give, forward, back };
}
