/** How a session cookie is set. */
export interface LoginCookie {
  name: 'login' | 'admin';
  maxAgeSeconds: number;
  /** Whether browsers may send it over https only. */
  secure: boolean;
  /** The path of the public URL: other services of its host do not see the cookie. */
  path: string;
}

/** The header that gives a browser its session cookie. */
export const setCookie = (cookie: LoginCookie, token: string): string =>
  writeCookie(token, cookie, cookie.maxAgeSeconds);

/** The header that removes the cookie. */
export const clearCookie = (cookie: LoginCookie): string => writeCookie('', cookie, 0);

const writeCookie = (value: string, { name, secure, path }: LoginCookie, maxAgeSeconds: number): string =>
  `${name}=${value}; HttpOnly; SameSite=Strict; Path=${path}; Max-Age=${maxAgeSeconds}${secure ? '; Secure' : ''}`;
