/** What a Markdown code fence around a whole text holds; the text itself where there is none. */
export function unfenced(text: string): string {
  const lines = text.trim().split('\n');
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const fence = first.slice(0, 3);
  const isFenced = (fence === '```' || fence === '~~~') && lines.length > 1 && last.trim() === fence;
  return isFenced ? lines.slice(1, -1).join('\n') : text;
}
