import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { MOST_RENDERED } from './rendered-size.ts';

/** A piece of a line. Nothing in it loads or runs. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly inside: readonly Inline[] }
  /** A link or an image. The address is shown, and cannot be followed: the text comes from an agent. */
  | { readonly kind: 'reference'; readonly inside: readonly Inline[]; readonly address: string }
  | { readonly kind: 'break' };

export interface ListItem {
  /** Whether a task is done, or `null` if the item is no task. */
  readonly isDone: boolean | null;
  readonly blocks: readonly Block[];
}

export type Align = 'left' | 'right' | 'center' | null;

export type Block =
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table';
      readonly align: readonly Align[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  /** Text that is shown as it was written, HTML for example. */
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'rule' };

/** The maximum depth of blocks and of emphasis. What is nested more deeply is shown as text. */
const DEEPEST = 16;
const ADDRESS_SHOWN = 200;

/**
 * Parses Markdown (CommonMark with GitHub's tables, task lists and strikethrough; line breaks are kept) into plain data.
 *
 * @returns `null` if the text is too long, or nested so deeply that it cannot be parsed.
 */
export function parseMarkdown(text: string): readonly Block[] | null {
  if (text.length > MOST_RENDERED) return null;
  try {
    return blocksOf(new Lexer({ gfm: true, breaks: true }).lex(text), 0);
  } catch {
    // Hostile nesting overflows the stack of the lexer.
    return null;
  }
}

function blocksOf(tokens: readonly Token[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  for (const token of tokens as readonly MarkedToken[]) {
    if (depth >= DEEPEST) {
      blocks.push({ kind: 'raw', text: token.raw });
      continue;
    }
    switch (token.type) {
      case 'space':
      case 'checkbox':
        break;
      case 'paragraph':
        blocks.push({ kind: 'paragraph', inside: inlinesOf(token.tokens, 0) });
        break;
      case 'text':
        blocks.push({ kind: 'paragraph', inside: inlinesOf(token.tokens ?? [token], 0) });
        break;
      case 'heading':
        blocks.push({ kind: 'heading', level: token.depth, inside: inlinesOf(token.tokens, 0) });
        break;
      case 'code':
        blocks.push({ kind: 'code', text: token.text, language: token.lang ?? '' });
        break;
      case 'blockquote':
        blocks.push({ kind: 'quote', blocks: blocksOf(token.tokens, depth + 1) });
        break;
      case 'list':
        blocks.push(listOf(token, depth));
        break;
      case 'table':
        blocks.push(tableOf(token));
        break;
      case 'hr':
        blocks.push({ kind: 'rule' });
        break;
      default:
        // HTML, and definitions of links, which would otherwise not be seen at all.
        if (token.raw.trim() !== '') blocks.push({ kind: 'raw', text: token.raw.replace(/\n+$/, '') });
    }
  }
  return blocks;
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): Block {
  return {
    kind: 'list',
    start: ordered ? Number(start) : null,
    items: items.map(({ task, checked, tokens }) => ({
      isDone: task ? checked === true : null,
      blocks: blocksOf(tokens, depth + 1),
    })),
  };
}

function tableOf({ header, align, rows }: Tokens.Table): Block {
  const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => inlinesOf(tokens, 0));
  return { kind: 'table', align, head: cells(header), rows: rows.map(cells) };
}

function inlinesOf(tokens: readonly Token[], depth: number): readonly Inline[] {
  return (tokens as readonly MarkedToken[]).flatMap((token): Inline[] => {
    if (depth >= DEEPEST) return [{ kind: 'text', text: token.raw }];
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
        return [{ kind: token.type, inside: inlinesOf(token.tokens, depth + 1) }];
      case 'codespan':
        return [{ kind: 'code', text: token.text }];
      case 'br':
        return [{ kind: 'break' }];
      case 'link':
        return linkOf(token, inlinesOf(token.tokens, depth + 1));
      case 'image':
        return [{ kind: 'reference', inside: [{ kind: 'text', text: token.text }], address: shownAddress(token.href) }];
      case 'escape':
        return [{ kind: 'text', text: token.text }];
      case 'text':
        if (token.tokens !== undefined) return [...inlinesOf(token.tokens, depth)];
        return [{ kind: 'text', text: withoutEntities(token.text) }];
      case 'checkbox':
        return [];
      default:
        return [{ kind: 'text', text: token.raw }];
    }
  });
}

function linkOf({ href, text }: Tokens.Link, inside: readonly Inline[]): Inline[] {
  // An address in the text is its own link.
  if (href === text || href === `mailto:${text}` || href === `http://${text}`) return [...inside];
  return [{ kind: 'reference', inside, address: shownAddress(href) }];
}

function shownAddress(address: string): string {
  return address.length > ADDRESS_SHOWN ? `${address.slice(0, ADDRESS_SHOWN)}…` : address;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Replaces the entities that models write. The lexer has replaced those with numbers. */
function withoutEntities(text: string): string {
  return text.replace(/&([a-z]{2,4});/gi, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity);
}
