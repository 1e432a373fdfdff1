import { expect } from 'chai';
import {
  HARMLESS,
  PLANTED,
  secretFields,
  secretVariables,
  TEXTS,
  textBodies,
} from '../support/secrets/secret-fields.ts';
import { SecretSweep } from '../support/secrets/secret-sweep.ts';

describe('Secrets of requests and configuration', () => {
  it('rows: each field that may hold one is planted, or is listed with the reason why it holds none', async () => {
    const known = new Set([...Object.keys(PLANTED), ...Object.keys(HARMLESS)]);
    const fields = [...(await secretFields()), ...secretVariables()];
    expect(fields.filter((field) => !known.has(field))).to.deep.equal([]);
    expect(Object.keys(HARMLESS).filter((field) => !fields.includes(field))).to.deep.equal([]);
  });

  it('rows: each body of text is planted, or is listed with the reason why it holds none', async () => {
    expect((await textBodies()).filter((operation) => !(operation in TEXTS))).to.deep.equal([]);
    const names = new Set(Object.values(PLANTED).flat());
    for (const secret of Object.values(TEXTS))
      expect(secret.startsWith('no secret') || names.has(secret), secret).to.equal(true);
  });

  it('are found by this sweep wherever they are: in clear, encoded, in a PEM, and where no operation may show them', () => {
    const sweep = new SecretSweep();
    const value = sweep.plant('a', 'canary-0123456789', ['shows']);
    const texts = [`x${value}y`, Buffer.from(`ab${value}cd`).toString('base64'), Buffer.from(value).toString('hex')];
    for (const [index, text] of texts.entries()) sweep.note(`place ${index}`, text);
    sweep.note('shows', texts[0] ?? '');
    expect(sweep.sightings()).to.deep.equal(['a in place 0', 'a in place 1', 'a in place 2']);
    const pem = ['-----BEGIN PRIVATE KEY-----', 'A'.repeat(64), 'B'.repeat(64), '-----END PRIVATE KEY-----'].join('\n');
    sweep.plant('pem', pem);
    sweep.note('json', JSON.stringify({ pem }));
    expect(sweep.sightings()).to.include('pem in json');
  });
});
