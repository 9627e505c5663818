import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { pageHtml } from '../../../../src/host/webview/pageHtml.ts';

describe('a page, before its script runs', () => {
  const options = {
    ...{ cspSource: 'https://*.example-webview.net', nonce: 'N0nce', script: 'https://s/x.js' },
    ...{ style: 'https://s/x.css', codicons: 'https://s/c.css', title: 'Job' },
    data: { 'job-id': 'claude-code-1' },
  };

  it('allows its own script, style, font and pictures, and nothing else', () => {
    const [, policy = ''] =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(pageHtml(options)) ?? [];
    const rules = policy.replaceAll('&#39;', "'").split('; ');
    assert.deepEqual(rules, [
      "default-src 'none'",
      "script-src 'nonce-N0nce'",
      `style-src ${options.cspSource}`,
      `font-src ${options.cspSource}`,
      `img-src ${options.cspSource}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.doesNotMatch(policy, /unsafe|\*(?!\.)|data:/);
  });

  it('has no script, handler or style in its text, whatever it is given', () => {
    const evil = '"><script>x</script><img onerror=x style=x';
    const html = pageHtml({
      ...{ ...options, title: evil, data: { 'job-id': evil } },
      ...{ style: evil, codicons: evil },
    });
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.doesNotMatch(html, /<img|<style/);
  });
});
