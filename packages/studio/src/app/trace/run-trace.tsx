import { contentText, type Inference } from '@agent-criteria/core';
import type { Around } from '@agent-criteria/viewer/run-views';
import { turnEvents } from '@agent-criteria/viewer/trace-steps';
import { type EventLink, usePhone } from '@agent-criteria/viewer/views';
import { useSignal } from '@preact/signals';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AgentNode } from '../../api.ts';
import { ask } from '../api-client.ts';
import { Button } from '../button.tsx';
import { drawNow } from '../draw-now.ts';
import { FillButton, isFilled } from '../fill-button.tsx';
import { RunContext } from '../run-context.ts';
import { Splitter } from '../splitter.tsx';
import { store, stored } from '../store.ts';
import { Tabs } from '../tabs.tsx';
import { LazyTrace } from './lazy-trace.tsx';
import { groupsOfRun } from './trace-group.ts';
import type { OpenedSpan } from './trace-link.ts';

const PANES = ['Conversation', 'Trace'] as const;

/** Shows the conversation of a repeat next to the trace of its turns. */
export function RunTrace({ one, repeat, children }: Around) {
  const { app } = useContext(RunContext);
  const marked = useSignal<ReadonlySet<string>>(new Set());
  const opened = useSignal<OpenedSpan | null>(null);
  const [pane, setPane] = useState<(typeof PANES)[number]>('Conversation');
  const [isBeside, setBeside] = useState(stored('trace') !== 'off');
  const side = useRef<HTMLElement>(null);
  const phone = usePhone();
  const inference = one.inferences.find(({ key }) => key.repeat === repeat)?.inference;
  const agent = useAgent(phone ? pane === 'Trace' : isBeside, app);
  const groups = useMemo(() => {
    const asked = one.evalCase.conversation?.map(({ userContent }) => contentText(userContent));
    return inference === undefined ? [] : groupsOfRun(inference.trace ?? [], inference.invocations, asked, agent?.name);
  }, [inference, agent]);

  const beside = (on: boolean) => {
    setBeside(on);
    store('trace', on ? 'on' : 'off');
  };
  const show = (event: string) => {
    // On a narrow screen, the conversation must be rendered first.
    drawNow(() => {
      setPane('Conversation');
      isFilled.value = false;
    });
    elementOf(event)?.focus();
  };
  const link = useMemo((): EventLink => {
    const spanOf = new Map(
      groups.flatMap(({ id, eventOfSpan }) =>
        [...eventOfSpan].map(([span, event]) => [event, { group: id, span }] as const),
      ),
    );
    const events = inference?.invocations.map((invocation, turn) => turnEvents(invocation, turn)) ?? [];
    return {
      events: (turn) => events[turn] ?? [],
      isMarked: (event) => marked.value.has(event),
      mark: (events) => {
        marked.value = new Set(events);
      },
      opener: (event) => {
        const found = spanOf.get(event);
        if (found === undefined) return undefined;
        return () => {
          opened.value = found;
          setPane('Trace');
          setBeside(true);
        };
      },
    };
  }, [groups]);

  const trace = (
    <>
      <WhyUntimed inference={inference} />
      {groups.length > 0 && <LazyTrace groups={groups} agent={agent} link={{ marked, opened, show }} />}
    </>
  );
  if (phone) {
    return (
      <Tabs label="Views of the case" names={PANES} chosen={pane} choose={(name) => setPane(name)}>
        {pane === 'Trace' ? trace : children(link)}
      </Tabs>
    );
  }
  return (
    <div class={isBeside ? 'traced' : ''}>
      <div>
        <p class="trace-switch">
          <Button
            text={isBeside ? 'Hide the trace' : 'Show the trace'}
            class="quiet"
            aria-expanded={isBeside}
            onClick={() => beside(!isBeside)}
          />
        </p>
        {children(link)}
      </div>
      {isBeside && (
        <>
          <Splitter name="trace" label="Width of the conversation" share={58} />
          <section ref={side} class="trace-side" aria-label="Trace">
            <p class="pane-bar">
              <b>Trace</b>
              <FillButton pane={side} of="trace" />
            </p>
            {trace}
          </section>
        </>
      )}
    </div>
  );
}

/** Explains why spans are missing. */
function WhyUntimed({ inference }: { readonly inference: Inference | undefined }) {
  if (inference === undefined) return <p class="note">This repeat did not run, so there is no trace of it.</p>;
  if ((inference.trace?.length ?? 0) > 0) return null;
  if (inference.invocations.length === 0) {
    return <p class="note">The agent failed before it answered, and recorded no steps.</p>;
  }
  return (
    <p class="note">
      This agent records no times of its steps: they are shown in order. Agents of <code>@google/adk</code> in this
      process record all of theirs; a function or another server records what it returns as <code>trace</code>.
    </p>
  );
}

function elementOf(event: string): HTMLElement | null {
  const [turn = '0'] = event.split('-');
  return (
    document.querySelector<HTMLElement>(`[data-events~="${CSS.escape(event)}"]`) ??
    document.getElementById(`turn-${Number(turn) + 1}`)
  );
}

/** Agent descriptions by app, requested once per page. */
const agents = new Map<string, Promise<AgentNode | null>>();

function useAgent(isWanted: boolean, app: string | null): AgentNode | null {
  const [agent, setAgent] = useState<AgentNode | null>(null);
  useEffect(() => {
    if (!isWanted || app === null) return;
    let over = false;
    const known = agents.get(app) ?? ask('GET /apps/:app/agent', { app }).catch((): AgentNode | null => null);
    agents.set(app, known);
    void known.then((found) => {
      if (!over) setAgent(found);
    });
    return () => {
      over = true;
    };
  }, [isWanted, app]);
  return agent;
}
