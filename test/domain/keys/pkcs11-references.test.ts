import { expect } from 'chai';
import { PKCS11 } from '../../../domain/keys/backends/pkcs11.ts';

const CONFIG = { token: 'registrar', auth: { accessKey: 'an-access-key-of-a-token' } };

/** The path of what is refused. */
function refused(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return (error as { details: { path: string[] }[] }).details.map(({ path }) => path.join('.')).join(' ');
  }
  return 'nothing';
}

describe('references of PKCS#11', () => {
  it('name a token, never a library, a slot or a PIN', () => {
    expect(PKCS11.readConfig(CONFIG)).to.deep.equal(CONFIG);
    for (const member of ['library', 'slot', 'label', 'pin', 'tags'])
      expect(refused(() => PKCS11.readConfig({ ...CONFIG, [member]: 'x' }))).to.equal(member);
    for (const token of [undefined, '', 'A', '../a', '-a', 'a'.repeat(64), 7])
      expect(
        refused(() => PKCS11.readConfig({ ...CONFIG, token })),
        String(token),
      ).to.equal('token');
    expect(refused(() => PKCS11.readConfig({ ...CONFIG, auth: { accessKey: 'a b' } }))).to.equal('auth.accessKey');
    expect(refused(() => PKCS11.readConfig({ token: 'a' }))).to.equal('auth');
    for (const name of ['', 'a/b', 'a'.repeat(129)])
      expect(
        refused(() => PKCS11.readConfig({ ...CONFIG, name })),
        name,
      ).to.equal('name');
  });

  it('have the id of the key as hexadecimal digits, and their configuration in config', () => {
    expect(PKCS11.read({ id: '0a', config: CONFIG })).to.deep.equal({ id: '0a', config: CONFIG, configAt: ['config'] });
    for (const id of [undefined, '', '0', '0A', 'zz', 'ab'.repeat(65)])
      expect(
        refused(() => PKCS11.read({ id, config: CONFIG })),
        String(id),
      ).to.equal('id');
    expect(refused(() => PKCS11.read({ id: '0a', ...CONFIG }))).to.equal('token');
  });
});
