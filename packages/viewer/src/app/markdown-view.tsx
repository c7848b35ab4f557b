import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Align, type Block, type Inline, parseMarkdown } from '../markdown.ts';
import { CopyButton } from './copy-button.tsx';
import { visible } from './format.ts';

/**
 * A text with its Markdown rendered as elements, never as HTML. Headings are paragraphs, because they are no part of
 * the page's outline.
 */
export function MarkdownView({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  if (blocks === null) return <div class="text">{text}</div>;
  return <Blocks of={blocks} />;
}

function Blocks({ of }: { readonly of: readonly Block[] }) {
  return (
    <>
      {of.map((block, place) => (
        <BlockView key={place} block={block} />
      ))}
    </>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines of={block.inside} />
        </p>
      );
    case 'heading':
      return (
        <p class={`md-heading of-${block.level}`} dir="auto">
          <Inlines of={block.inside} />
        </p>
      );
    case 'code':
      return <Code {...block} />;
    case 'quote':
      return (
        <blockquote>
          <Blocks of={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <List {...block} />;
    case 'table':
      return <Table {...block} />;
    case 'rule':
      return <hr />;
    case 'raw':
      return (
        <p class="md-raw" dir="auto">
          {block.text}
        </p>
      );
  }
}

function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <div class="md-code">
      <p>
        <small>{visible(language)}</small>
        <CopyButton name="Copy" label="Copy the code" text={() => text} />
      </p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be scrollable by keyboard, too.
        tabIndex={0}
      >
        <code>{text}</code>
      </pre>
    </div>
  );
}

function List({ start, items }: Extract<Block, { kind: 'list' }>) {
  const lines = items.map(({ isDone, blocks }, place) => {
    const [first, ...rest] = blocks;
    return (
      <li key={place} class={isDone === null ? '' : 'md-task'} dir="auto">
        {isDone !== null && (
          <span role="img" aria-label={isDone ? 'Done:' : 'Not done:'}>
            {isDone ? '☑' : '☐'}
          </span>
        )}
        {/* A paragraph of its own would stand below the mark of the item. */}
        {first?.kind === 'paragraph' ? <Inlines of={first.inside} /> : first && <BlockView block={first} />}
        <Blocks of={rest} />
      </li>
    );
  });
  return start === null ? <ul>{lines}</ul> : <ol start={start}>{lines}</ol>;
}

function Table({ align, head, rows }: Extract<Block, { kind: 'table' }>) {
  const style = (place: number) => {
    const side: Align = align[place] ?? null;
    return side === null ? undefined : { textAlign: side };
  };
  return (
    <div
      class="md-table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be scrollable by keyboard, too.
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            {head.map((cell, place) => (
              <th key={place} scope="col" dir="auto" style={style(place)}>
                <Inlines of={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, place) => (
                <td key={place} dir="auto" style={style(place)}>
                  <Inlines of={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inlines({ of }: { readonly of: readonly Inline[] }) {
  return (
    <>
      {of.map((piece, place) => (
        <InlineView key={place} piece={piece} />
      ))}
    </>
  );
}

function InlineView({ piece }: { readonly piece: Inline }) {
  switch (piece.kind) {
    case 'text':
      return <Fragment>{piece.text}</Fragment>;
    case 'code':
      return <code>{piece.text}</code>;
    case 'break':
      return <br />;
    case 'reference':
      return (
        <>
          <Inlines of={piece.inside} />
          <Address text={piece.address} />
        </>
      );
    default: {
      const Mark = piece.kind;
      return (
        <Mark>
          <Inlines of={piece.inside} />
        </Mark>
      );
    }
  }
}

/** An address that leads nowhere. */
function Address({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <>
      {' '}
      <code class="md-address">{visible(text)}</code>
    </>
  );
}
