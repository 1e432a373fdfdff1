import { expect } from 'chai';
import { DOCUMENT } from '../../support/credentials/mdocs.ts';
import { useServer } from '../../support/servers/server.ts';

describe('parseMdoc', () => {
  const server = useServer();
  const hex = Buffer.from(DOCUMENT).toString('hex');

  it('200: needs no login; hexadecimal and base64url, with any media type, are the same', async () => {
    const base64url = Buffer.from(DOCUMENT).toString('base64url');
    const answers = [];
    for (const text of [hex, hex.toUpperCase(), base64url, ` ${hex}\n`])
      for (const contentType of ['text/plain', 'application/json', 'text/plain;charset=UTF-8'])
        answers.push(await server.call('parseMdoc', { text, contentType }));
    for (const { status, body } of answers) expect([status, body]).to.deep.equal([200, answers[0]?.body]);
    const { docType, issuerSigned } = answers[0]?.body ?? {};
    expect(docType).to.equal('org.iso.18013.5.1.mDL');
    expect(issuerSigned.nameSpaces['org.iso.18013.5.1'][1].elementValue).to.equal('John');
  });

  it('400: refuses what is no mdoc, and names the body', async () => {
    for (const text of ['a0', 'zz.zz', hex.slice(2), hex.slice(0, -2), `${hex}00`, ' ', 'eyJhbGciOiJub25lIn0']) {
      const { status, body } = await server.call('parseMdoc', { text });
      expect([status, body.details?.[0].path], text.slice(0, 20)).to.deep.equal([400, '/body']);
    }
    expect((await server.call('parseMdoc', { text: hex, query: { a: '1' } })).status).to.equal(400);
  });

  it('413: refuses a body over 1 MiB', async () => {
    expect((await server.call('parseMdoc', { text: 'a0'.repeat(600_000) })).status).to.equal(413);
  });
});
