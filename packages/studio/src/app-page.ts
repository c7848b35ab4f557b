/** The page of the app: everything in it comes from its own files, as the policy demands. */
export const appPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Agent Criteria studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app/main.css">
<script type="module" src="/app/main.js"></script>
</head>
<body>
<div id="app"><noscript><p>The studio is a program in this page: it needs JavaScript, and nothing from the network.</p></noscript></div>
</body>
</html>
`;
