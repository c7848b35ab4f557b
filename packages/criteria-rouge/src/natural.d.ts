// natural declares types for its main entry only.
declare module 'natural/lib/natural/stemmers/*' {
  const stemmer: { stem(word: string): string };
  export default stemmer;
}
