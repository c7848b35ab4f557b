import { expect, it } from 'vitest';
import { isHtml, pageInWords } from './html.ts';

it.each([
  ['<!DOCTYPE html><html><head><title> 502 Bad Gateway </title>', 'an HTML page, "502 Bad Gateway"'],
  ['  <html><title></title><body><h1>Sign in</h1>', 'an HTML page, "Sign in"'],
  ['<html><body><pre>Cannot POST /run</pre>', 'an HTML page, "Cannot POST /run"'],
  [`<html>${'<title'.repeat(10_000)}`, 'an HTML page'],
])('pageInWords() describes %.60s', (page, words) => {
  expect(isHtml(page)).toBe(true);
  expect(pageInWords(page)).toBe(words);
});

it.each(['{"error":"<html>"}', 'plain', ''])('isHtml() is false for %j', (text) => {
  expect(isHtml(text)).toBe(false);
});
