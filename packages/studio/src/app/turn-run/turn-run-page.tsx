import { contentText } from '@agent-criteria/core';
import {
  count,
  diffWords,
  distinctAnswers,
  formatTime,
  LongText,
  localTime,
  Message,
  runAddress,
  TextBlock,
  visible,
} from '@agent-criteria/viewer/views';
import { useMemo, useState } from 'preact/hooks';
import type { SessionDetail, TurnAnswer, TurnRunAgent, TurnRunDetail } from '../../api.ts';
import { Answered } from '../answer.tsx';
import { ask } from '../api-client.ts';
import { Button } from '../button.tsx';
import { lazy } from '../lazy.tsx';
import { formatRoute, type Route } from '../route.ts';
import { go } from '../router.ts';
import { complain } from '../toasts.tsx';
import { View } from '../view.tsx';
import { AnswerCard } from './answer-card.tsx';
import { TurnRunDialog } from './turn-again.tsx';
import { TurnCalls } from './turn-calls.tsx';
import { usageText } from './usage-text.ts';
import { useTurnRun } from './use-turn-run.ts';

const CaseDialog = lazy(async () => (await import('../chat/case-dialog.tsx')).CaseDialog, null);

/** Shows the answers of a turn that was run again, side by side, as they arrive. */
export function TurnRunPage({ route }: { readonly route: Extract<Route, { view: 'turn-run' }> }) {
  const found = useTurnRun(route.turnRun);
  const [isAgain, setAgain] = useState(false);
  const detail = found.state === 'there' ? found.value : null;
  return (
    <View
      title="A turn, run again"
      above={detail !== null && <Source detail={detail} />}
      actions={
        detail !== null && (
          <>
            {(detail.state === 'running' || detail.state === 'cancelling') && (
              <Button
                text={detail.state === 'cancelling' ? 'Cancelling…' : 'Cancel'}
                disabled={detail.state === 'cancelling'}
                onClick={() => void ask('POST /turn-runs/:turnRun/cancel', { turnRun: detail.id }).catch(complain)}
              />
            )}
            <Button text="Run it again…" onClick={() => setAgain(true)} />
          </>
        )
      }
    >
      <Answered found={found} waiting="Reading the answers…">
        {(value) => <TurnRun detail={value} />}
      </Answered>
      {isAgain && detail !== null && <TurnRunDialog of={detail.of} close={() => setAgain(false)} />}
    </View>
  );
}

/** Links to where the turn is from. */
function Source({ detail: { of, app } }: { readonly detail: TurnRunDetail }) {
  return (
    <>
      <a href={formatRoute({ view: 'app', app })}>{visible(app)}</a> /{' '}
      {'session' in of ? (
        <a href={formatRoute({ view: 'chat', app: of.app, session: of.session })}>The session</a>
      ) : (
        <a href={hrefOfCase(of)}>
          {visible(of.case)}, turn {of.turn + 1}
        </a>
      )}
    </>
  );
}

function hrefOfCase({ run, set, case: id, variant, repeat, turn }: Extract<TurnRunDetail['of'], { run: string }>) {
  return runAddress(formatRoute({ view: 'run', run }), { view: 'case', set, id, variant, repeat, turn });
}

function TurnRun({ detail }: { readonly detail: TurnRunDetail }) {
  const { original, agents, answers, expected, turn, unscored, problem } = detail;
  const [added, setAdded] = useState<{ readonly app: string; readonly session: SessionDetail } | null>(null);
  const open = async ({ variant, repeat }: TurnAnswer) =>
    ask('POST /turn-runs/:turnRun/session', { turnRun: detail.id, body: { variant, repeat } });
  const openChat = (one: TurnAnswer) =>
    void open(one)
      .then(({ app, session }) => go({ view: 'chat', app, session }))
      .catch(complain);
  const addCase = (one: TurnAnswer) =>
    void open(one)
      .then(async ({ app, session }) =>
        setAdded({ app, session: await ask('GET /apps/:app/sessions/:session', { app, session }) }),
      )
      .catch(complain);
  const ofAgent = ({ variant }: TurnRunAgent) => answers.filter((one) => one.variant === variant);
  const text = contentText(original.invocation.finalResponse);
  return (
    <>
      <Progress detail={detail} />
      {problem !== null && (
        <p class="problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
      <div class="turn-run-top">
        <section class="user" aria-label="Message">
          <h2 class="sub">
            {turn === 0 ? 'The user says, first' : `The user says, after ${count(turn, 'earlier turn')}`}
          </h2>
          <Message content={original.invocation.userContent} />
        </section>
        <section class="answer-card original" aria-label="Answer before">
          <h2 class="sub">
            Answer before <small>{original.usage !== null && usageText(original.usage)}</small>
          </h2>
          {original.problem !== null && (
            <p class="problem" dir="auto">
              <LongText text={original.problem} />
            </p>
          )}
          {text === '' ? original.problem === null && <p class="nothing">No answer.</p> : <TextBlock text={text} />}
          <TurnCalls now={original.invocation} before={null} />
        </section>
        {expected !== null && contentText(expected.finalResponse) !== '' && (
          <section class="answer-card original" aria-label="Expected answer">
            <h2 class="sub">Expected by the case</h2>
            <TextBlock text={contentText(expected.finalResponse)} />
          </section>
        )}
      </div>
      {unscored !== null && (
        <p class="note" dir="auto">
          {unscored}
        </p>
      )}
      <div class={agents.length > 1 ? 'agents-beside' : undefined}>
        {agents.map((agent) => (
          <section key={agent.name} aria-label={`Answers of ${agent.name}`}>
            <h2>
              <bdi>{visible(agent.name)}</bdi>
            </h2>
            {agent.resent > 0 && (
              <p class="note" dir="auto">
                {agent.why} {count(agent.resent, 'earlier message')} {agent.resent === 1 ? 'was' : 'were'} sent again
                each time.
              </p>
            )}
            <Distinct answers={ofAgent(agent)} before={text} />
            <ol class="answer-cards">
              {ofAgent(agent).map((one) => (
                <li key={one.repeat}>
                  <AnswerCard
                    id={idOf(one)}
                    answer={one}
                    resent={agent.resent}
                    before={original.invocation}
                    criteria={detail.criteria}
                    diff={text === '' ? null : diffWords}
                    openChat={agent.app === null ? null : () => openChat(one)}
                    addCase={agent.app === null ? null : () => addCase(one)}
                  />
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      {added !== null && <CaseDialog app={added.app} session={added.session} close={() => setAdded(null)} />}
    </>
  );
}

function idOf({ variant, repeat }: TurnAnswer): string {
  return `answer-${variant ?? ''}-${repeat + 1}`;
}

function Progress({ detail: { state, answers, agents, startedAt } }: { readonly detail: TurnRunDetail }) {
  const done = answers.filter(({ invocation, problem }) => invocation !== null || problem !== null).length;
  const usages = answers.flatMap(({ usage }) => usage ?? []);
  const costs = usages.flatMap(({ cost }) => cost ?? []);
  const tokens = usages.flatMap(({ tokens: own }) => own ?? []);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const spent =
    usages.length === 0
      ? null
      : usageText({
          modelCalls: sum(usages.map(({ modelCalls }) => modelCalls)),
          tokens:
            tokens.length === 0
              ? null
              : {
                  inputTokens: sum(tokens.map(({ inputTokens }) => inputTokens)),
                  outputTokens: sum(tokens.map(({ outputTokens }) => outputTokens)),
                  cachedInputTokens: 0,
                  reasoningTokens: 0,
                },
          // A sum of which a part is unknown would be too small.
          cost: costs.length === usages.length ? sum(costs) : null,
        });
  const words = {
    running: 'Running',
    cancelling: 'Cancelling',
    finished: 'Done',
    cancelled: 'Cancelled',
    ended: 'The studio ended before it was done',
  }[state];
  const isRunning = state === 'running' || state === 'cancelling';
  return (
    <p class={`turn-run-progress${isRunning ? ' under-way' : ''}`} role="status">
      <b>{words}</b>
      <span>
        {done} of {count(answers.length, 'answer')}
        {agents.length > 1 && ` by ${count(agents.length, 'agent')}`}
      </span>
      {isRunning && <progress max={answers.length} value={done} aria-label="Answers so far" />}
      <span>{spent ?? (done > 0 ? 'The agent reports no calls to models: cost unknown' : '')}</span>
      <small>{localTime(startedAt)}</small>
    </p>
  );
}

/** Groups equal answers, most frequent first. */
function Distinct({ answers, before }: { readonly answers: readonly TurnAnswer[]; readonly before: string }) {
  const given = answers.filter(({ invocation }) => invocation !== null);
  const groups = useMemo(
    () =>
      distinctAnswers({
        inferences: given.map(({ invocation, repeat }) => ({
          key: { setId: '', caseId: '', repeat },
          inference: {
            sessionId: '',
            invocations: invocation === null ? [] : [invocation],
            state: { initial: null, final: null },
            ending: { by: 'end-of-case' },
          },
        })),
      }),
    [answers],
  );
  const times = given.flatMap(({ time }) => time ?? []);
  if (given.length < 2) return null;
  return (
    <div class="distinct">
      <p>
        <b>{count(groups.length, 'distinct answer')}</b>
        <small>
          {' '}
          among {given.length}
          {times.length > 0 && `, ${formatTime(Math.min(...times))} to ${formatTime(Math.max(...times))}`}
        </small>
      </p>
      <ol>
        {groups.map(({ texts, repeats }) => {
          const words = texts.join(' ').replace(/\s+/g, ' ').trim();
          const [first = 0] = repeats;
          const one = given.find(({ repeat }) => repeat === first);
          return (
            <li key={first}>
              <b class="times" title={`Answers ${repeats.map((repeat) => repeat + 1).join(', ')}`}>
                {repeats.length} ×
              </b>
              <button
                type="button"
                class="quiet"
                title="Show the first of them"
                onClick={() => one !== undefined && document.getElementById(idOf(one))?.focus()}
              >
                {words === '' ? <i>No answer</i> : <span dir="auto">{words.slice(0, 160)}</span>}
              </button>
              {before !== '' && texts.join('') === before.trim() && <small class="as-before">as before</small>}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
