/** Why no login can be signed with two files; each is a text of the page. */
export type Unsigned = 'noChain' | 'noKey' | 'encrypted' | 'otherForm' | 'unread' | 'insecure';

type Signed = { token: string } | { why: Unsigned };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
const KEY = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/;
const OTHER_FORM = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const encode = (value: object): string => base64url(new TextEncoder().encode(JSON.stringify(value)));

/** Signs a login with the key of a certificate (docs/x5c-login.md, "The same by hand"). The key stays in this function. */
export async function signLogin(chain: string, key: string, claims: object): Promise<Signed> {
  const x5c = [...chain.matchAll(CERTIFICATE)].map(([, text = '']) => text.replaceAll(/\s/g, ''));
  if (x5c.length === 0) return { why: 'noChain' };
  const [, der = ''] = KEY.exec(key) ?? [];
  if (der === '') return { why: whyNoKey(key) };
  // Browsers offer it on pages with https and on loopback addresses only.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (!subtle) return { why: 'insecure' };
  try {
    const bytes = Uint8Array.from(atob(der.replaceAll(/\s/g, '')), (char) => char.charCodeAt(0));
    const signer = await subtle.importKey('pkcs8', bytes, RS256, false, ['sign']);
    const input = `${encode({ alg: 'RS256', typ: 'JWT', x5c })}.${encode(claims)}`;
    const signature = await subtle.sign(RS256.name, signer, new TextEncoder().encode(input));
    return { token: `${input}.${base64url(new Uint8Array(signature))}` };
  } catch {
    return { why: 'unread' };
  }
}

function whyNoKey(key: string): Unsigned {
  if (ENCRYPTED.test(key)) return 'encrypted';
  return OTHER_FORM.test(key) ? 'otherForm' : 'noKey';
}
