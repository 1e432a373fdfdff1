import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useServer } from '../support/servers/server.ts';

const PAGE = 'docs/issuance-flows.md';

describe(PAGE, () => {
  const server = useServer();

  it('its commands run in their order, and each flow ends with an access token', async () => {
    const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(blocks).to.have.length(4);
    const script = blocks.join("\necho ' |'\n");
    const env = { ...process.env, BASE: server.url };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env });
    const [setup = '', ...answers] = stdout.split('|').map((text) => text.trim());
    expect(setup).to.equal('');
    expect(answers.map((text) => Object.keys(JSON.parse(text)))).to.deep.equal(
      Array(3).fill(['access_token', 'token_type', 'expires_in', 'c_nonce', 'c_nonce_expires_in']),
    );
  });
});
