import { ErrorStack } from '@agent-criteria/viewer/trace-views';
import {
  AnswerText,
  count,
  Fold,
  JsonTree,
  LongText,
  Media,
  preview,
  RawSwitch,
  visible,
} from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { SessionEvent } from '../../api.ts';
import { STOPPED } from '../../sessions/event.ts';
import { Button } from '../button.tsx';
import { drawNow } from '../draw-now.ts';
import { marking, type TraceLink } from '../trace/trace-link.ts';
import { chatEntry } from './chat-event.ts';
import { type ChatRow, chatRows, type RowPart } from './chat-rows.ts';
import type { Conversation } from './use-conversation.ts';

/** Shows messages, calls and errors in order. */
export function Messages(props: {
  readonly events: readonly SessionEvent[];
  readonly conversation: Conversation;
  readonly link: TraceLink;
  /** Ids of events that were produced by a span. */
  readonly traced: ReadonlySet<string>;
  openSpan(event: string): void;
  /** Offers to run the turn of a message again. */
  runAgain(event: string): void;
}) {
  const { events, conversation, link, traced, openSpan, runAgain } = props;
  const { turn, isBusy, edited, setEdited, detail } = conversation;
  const startedOver = new Set(detail?.startedOver);
  const list = useRef<HTMLOListElement>(null);
  const atEnd = useRef(true);
  const isPageEnd = useRef(true);
  // Keeps scrolling to the end as long as the end is visible.
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null || !atEnd.current) return;
    current.scrollTop = current.scrollHeight;
    if (isBusy && isPageEnd.current) scrollTo(0, document.documentElement.scrollHeight);
  });
  // On a narrow screen, the page scrolls instead of the list.
  useEffect(() => {
    const follow = () => {
      isPageEnd.current = innerHeight + scrollY >= document.documentElement.scrollHeight - 80;
    };
    addEventListener('scroll', follow, { passive: true });
    return () => removeEventListener('scroll', follow);
  }, []);
  const asked: SessionEvent[] =
    turn === null
      ? []
      : [{ id: 'asked', author: 'user', content: turn.message.content as SessionEvent['content'] } as SessionEvent];
  const entries = chatRows([...events, ...asked, ...(turn?.events ?? [])].map(chatEntry));
  return (
    <ol
      ref={list}
      class="messages"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be scrollable by keyboard, too.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {entries.length === 0 && !isBusy && <li class="note">Say something to the agent.</li>}
      {entries.map((entry, place) => (
        <Entry
          key={entry.id === '' ? place : entry.id}
          entry={entry}
          startsOver={startedOver.has(entry.id)}
          link={link}
          trace={traceOf(entry, traced, openSpan)}
          edited={edited?.id === entry.id ? edited.text : null}
          edit={
            isBusy || entry.id === 'asked' ? null : (text) => setEdited(text === null ? null : { id: entry.id, text })
          }
          branch={() => void conversation.branch(false)}
          again={isBusy || entry.id === 'asked' ? null : () => runAgain(entry.id)}
        />
      ))}
      {isBusy && (
        <li class="note">
          <span role="status">The agent is answering…</span>
        </li>
      )}
    </ol>
  );
}

function traceOf({ ids }: ChatRow, traced: ReadonlySet<string>, open: (event: string) => void): (() => void) | null {
  const event = ids.find((id) => traced.has(id));
  return event === undefined ? null : () => open(event);
}

function Entry(props: {
  readonly entry: ChatRow;
  /** Whether the agent knows nothing from before this message. */
  readonly startsOver: boolean;
  readonly link: TraceLink;
  readonly trace: (() => void) | null;
  /** The new text, or `null` if the message is not being rewritten. */
  readonly edited: string | null;
  /**
   * Sets the new text, or stops rewriting if the text is `null`. The function itself is `null` if the message cannot be
   * rewritten now.
   */
  readonly edit: ((text: string | null) => void) | null;
  branch(): void;
  /** Offers to run the turn again, or `null` if that is not possible now. */
  readonly again: (() => void) | null;
}) {
  const { entry, startsOver, link, trace, edited, edit, branch, again } = props;
  const { id, ids, author, rows: parts, error, stateDelta, goesOn } = entry;
  const opener = useRef<HTMLButtonElement>(null);
  const isUser = author === 'user';
  if (parts.length === 0 && error === null && stateDelta === null) return null;
  const said = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  const isMarked = ids.some((one) => link.marked.value.has(one));
  const isCalls = parts.length > 0 && parts.every(({ kind }) => kind === 'call') && error === null;
  return (
    <li
      id={`event-${id}`}
      tabIndex={-1}
      class={`chat-entry ${isUser ? 'of-user' : 'of-agent'}${isCalls ? ' of-calls' : ''}${goesOn ? ' goes-on' : ''}${isMarked ? ' marked' : ''}`}
      {...marking(link, () => ids)}
    >
      {startsOver && (
        <p class="started-over">
          The agent was loaded again and takes no history: it started over here and knows nothing from before.
        </p>
      )}
      <p class="said-by">
        <b class={goesOn ? 'unseen' : undefined}>
          <bdi>{isUser ? 'You' : visible(author)}</bdi>
        </b>
        {entry.isCut && <small>cut off</small>}
        {!isUser && <RawSwitch texts={[said]} of="this message" />}
        {trace !== null && <Button text="Trace" unseen=" of this message" class="quiet" onClick={trace} />}
        {isUser && again !== null && edited === null && parts.length > 0 && (
          <Button text="Run again…" unseen=" this turn" class="quiet" onClick={again} />
        )}
        {isUser && edit !== null && edited === null && said !== '' && (
          <Button
            text="Edit"
            unseen=" this message and continue from there"
            ref={opener}
            class="quiet"
            onClick={() => edit(said)}
          />
        )}
      </p>
      {edited !== null && edit !== null ? (
        <EditForm
          text={edited}
          hasFiles={parts.some(({ kind }) => kind === 'file')}
          change={edit}
          branch={branch}
          close={() => {
            drawNow(() => edit(null));
            opener.current?.focus();
          }}
        />
      ) : (
        parts.map((part, place) => <PartView key={place} part={part} isAnswer={!isUser} />)
      )}
      {stateDelta !== null && (
        <Fold class="chat-fold" summary={() => `State: ${count(Object.keys(stateDelta).length, 'change')}`}>
          {() => <JsonTree value={stateDelta} open />}
        </Fold>
      )}
      {error?.code === STOPPED && (
        <p class="note" dir="auto">
          {error.message === 'Stopped by the user.' ? 'You stopped the agent here.' : visible(error.message)}
        </p>
      )}
      {error !== null && error.code !== STOPPED && (
        <div class="chat-error">
          <p>
            <b>The agent failed:</b> <code>{visible(error.code)}</code>
          </p>
          {error.message !== '' && <Said text={error.message} />}
          {error.stack !== null && <ErrorStack stack={error.stack} />}
        </div>
      )}
    </li>
  );
}

function Said({ text }: { readonly text: string }) {
  return (
    <p class="said" dir="auto">
      <LongText text={text} />
    </p>
  );
}

function PartView({ part, isAnswer }: { readonly part: RowPart; readonly isAnswer: boolean }) {
  switch (part.kind) {
    case 'call':
      return <CallRow call={part} />;
    case 'text':
      return isAnswer ? <AnswerText text={part.text} /> : <Said text={part.text} />;
    case 'thought':
      return (
        <Fold class="chat-fold" summary={() => 'Thought'}>
          {() => <AnswerText text={part.text} />}
        </Fold>
      );
    case 'file':
      return <Media media={part.file} />;
    default:
      return (
        <Fold
          class="chat-fold"
          summary={(open) => (
            <>
              <span class="kind">{WORDS[part.kind]}</span> <bdi>{visible(part.name)}</bdi>
              {!open && <span class="preview"> {preview(part.value)}</span>}
            </>
          )}
        >
          {() => <JsonTree value={part.value} open />}
        </Fold>
      );
  }
}

const WORDS = { response: 'result', other: 'part' } as const;

/** A call and its result in one row. */
function CallRow({ call }: { readonly call: Extract<RowPart, { readonly kind: 'call' }> }) {
  const { name, value, result } = call;
  return (
    <div class="chat-call" id={result === undefined ? undefined : `event-${result.event}`} tabIndex={-1}>
      <Fold
        class="chat-fold"
        summary={(open) => (
          <>
            <b>
              <bdi>{visible(name)}</bdi>
            </b>
            {!open && <span class="preview"> {preview(value)}</span>}
            <span class="unseen">, result</span>
            <span class="arrow" aria-hidden="true">
              {' → '}
            </span>
            {result === undefined ? (
              <span class="note">no result</span>
            ) : (
              !open && <span class="preview">{preview(result.value)}</span>
            )}
          </>
        )}
      >
        {() => (
          <>
            <JsonTree name="arguments" value={value} open />
            {result !== undefined && <JsonTree name="result" value={result.value} open />}
          </>
        )}
      </Fold>
    </div>
  );
}

/** Rewrites a user message to continue from there. Enter sends, Escape cancels. */
function EditForm(props: {
  readonly text: string;
  /** Whether the message has files, which are sent again. */
  readonly hasFiles: boolean;
  change(text: string): void;
  branch(): void;
  close(): void;
}) {
  const { text, hasFiles, change, branch, close } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  const isReady = text.trim() !== '';
  return (
    <form
      class="edit-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) branch();
      }}
    >
      <textarea
        ref={field}
        rows={Math.min(8, text.split('\n').length + 1)}
        aria-label="Another message in its place"
        dir="auto"
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            close();
          }
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          if (isReady) branch();
        }}
      />
      <p class="note">
        This begins a new session from here. The one that you see stays in the list.
        {hasFiles && ' The files of the message are sent again.'}
      </p>
      <div class="buttons">
        <Button text="Cancel" onClick={close} />
        <button type="submit" class="main" disabled={!isReady}>
          Continue from here
        </button>
      </div>
    </form>
  );
}
