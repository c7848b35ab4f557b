import { count, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { BesideAgent, NewTurnRun, TurnPlace, TurnRunAgentEstimate, TurnRunEstimate } from '../../api.ts';
import { ask, messageOf } from '../api-client.ts';
import { FormDialog } from '../dialog.tsx';
import { Field, NumberField, SelectField } from '../field.tsx';
import { go } from '../router.ts';
import { RunEstimated } from '../run/run-estimate.tsx';
import { info } from '../store.ts';
import { usageText } from './usage-text.ts';

const MOST = 20;
/** Milliseconds after the last change before the cost is estimated. */
const PAUSE = 250;

/** Chooses how often to run a turn again and which agent to run beside it, after showing what it costs. */
export function TurnRunDialog({ of, close }: { readonly of: TurnPlace; close(): void }) {
  const [times, setTimes] = useState<number | undefined>(3);
  const [beside, setBeside] = useState('');
  const [agentName, setAgentName] = useState('');
  const [estimate, setEstimate] = useState<TurnRunEstimate | null>(null);
  const [variants, setVariants] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const other = besideOf(beside, agentName.trim());
  const asked: NewTurnRun | null = times === undefined ? null : { of, times, ...(other && { beside: other }) };
  const key = JSON.stringify(asked);
  useEffect(() => {
    setEstimate(null);
    if (asked === null) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const found = await ask('POST /turn-runs/estimate', { body: asked, signal: stop.signal });
        setEstimate(found);
        setVariants(found.variants);
        setProblem(undefined);
      } catch (error) {
        if (!stop.signal.aborted) setProblem(messageOf(error));
      }
    }, PAUSE);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key]);
  const start = async () => {
    if (asked === null) return;
    setBusy(true);
    try {
      const { id } = await ask('POST /turn-runs', { body: asked });
      close();
      go({ view: 'turn-run', turnRun: id });
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  const { value: known } = info;
  const apps = known.state === 'there' ? known.value.apps.filter(({ hasAgent }) => hasAgent) : [];
  return (
    <FormDialog
      title="Run this turn again"
      problem={problem}
      deed={busy ? 'Starting…' : 'Run'}
      ready={!busy && estimate !== null && problem === undefined}
      submit={() => void start()}
      close={close}
    >
      <div class="turn-run-fields">
        <NumberField label="Times" value={times} min={1} max={MOST} whole required change={setTimes} />
        <SelectField<string>
          label="Beside it"
          value={beside}
          choices={{
            '': 'No other agent',
            ...Object.fromEntries(variants.map((name) => [`variant ${name}`, `Variant ${visible(name)}`])),
            ...Object.fromEntries(apps.map(({ name }) => [`app ${name}`, `Agent ${visible(name)}`])),
          }}
          change={setBeside}
        />
        {beside.startsWith('app ') && (
          <Field
            label="Export"
            hint="Of those that its module exports. Empty: its agent."
            mono
            value={agentName}
            change={setAgentName}
          />
        )}
      </div>
      <section class="estimate" aria-label="Estimate" aria-live="polite">
        {estimate === null ? (
          problem === undefined && <p class="note">Estimating what it costs…</p>
        ) : (
          <Estimated estimate={estimate} times={times ?? 1} />
        )}
      </section>
    </FormDialog>
  );
}

function besideOf(chosen: string, agentName: string): BesideAgent | undefined {
  const [, kind, name] = /^(variant|app) (.*)$/s.exec(chosen) ?? [];
  if (name === undefined) return undefined;
  if (kind === 'variant') return { variant: name };
  return agentName === '' ? { app: name } : { app: name, agentName };
}

function Estimated({ estimate, times }: { readonly estimate: TurnRunEstimate; readonly times: number }) {
  const { agents, judges, unscored, notes } = estimate;
  return (
    <>
      <dl class="facts">
        {agents.map((agent, place) => (
          <div key={agent.name}>
            <dt>{visible(agent.name)}</dt>
            <dd>{costOf(agent, times, place > 0)}</dd>
          </div>
        ))}
      </dl>
      {agents.map(
        ({ name, resent, why }) =>
          resent > 0 && (
            <p key={name} class="warning" dir="auto">
              {why} {count(resent, 'earlier message')} {resent === 1 ? 'is' : 'are'} sent again each time, at their
              cost.
            </p>
          ),
      )}
      {judges !== null && <RunEstimated estimate={judges} />}
      {[...(unscored === null ? [] : [unscored]), ...notes].map((note) => (
        <p key={note} class="note" dir="auto">
          {note}
        </p>
      ))}
    </>
  );
}

function costOf({ each }: TurnRunAgentEstimate, times: number, isBeside: boolean): string {
  if (each !== null) return `${usageText(each, times)} for ${count(times, 'answer')}, if they are like the last one`;
  return isBeside
    ? 'Cost unknown: it has not answered this turn before.'
    : 'Cost unknown: the agent reports no calls to models.';
}
