/** Files that are not the project's own, wherever they are: libraries, the runtime, test frameworks, build output. */
const LIBRARY =
  /(?:^|[\s(])node:|^internal\/(?:modules|process|main|util|fs|timers|test)|\[eval|<(?:frozen|anonymous|string|stdin)|(?:^|[\\/])(?:node_modules|site-packages|dist-packages|gems|rustc|\.cargo|\.rustup|\.pyenv|\.nvm|\.m2|\.gradle|\.pnpm|\.yarn|\.cache|_pytest|pluggy|vendor)[\\/]|(?:^|\/)deps\/\w+\/lib\/|\/lib\/(?:python|ruby|erlang|elixir)|\/go\/(?:src|pkg)\/|(?:^|\/)(?:\.(?:next|nuxt|svelte-kit)\/|(?:manage\.py|_testmain\.go)$)|^testing\.go$|^extconf\.rb$|[\\/]share[\\/]cmake-[\d.]+[\\/]|[\\/]Microsoft\.[\w.]+\.targets$|[\\/](?:\.pub-cache|lib[\\/]std)[\\/]|^\/checkout\/src\/lib(?:core|std|alloc)\/|^eunit_\w+\.erl$|^ice-9\/|^webpack[:/]|^https?:|(?:^|[\\/])(?:libsanitizer|compiler-rt)[\\/]|^\.{1,2}\/(?:sysdeps|nptl|csu)\/|^\/home\/(?:iojs\/build|\w+\/build(?:slave|agent)\/\w+)\/|[\\/](?:babel-virtual-resolve-base|noop)\.js$/;
/** The machine's own folders, and temporary ones. */
const OF_THE_MACHINE =
  /^(?:\/private)?\/(?:usr\/(?!src\/)|opt\/(?:hostedtoolcache|homebrew|rust)|lib\d*\/|(?:Library|Applications|System|tmp|var\/(?:tmp|folders|lib)|proc|dev|nix)\/)|^[A-Z]:[\\/](?:Program Files|Windows|hostedtoolcache|Users[\\/][^\\/]+[\\/]AppData[\\/]Local[\\/]Temp)/;

/**
 * Whether a path is outside the user's own files. Files below the build's directory are the user's own,
 * wherever that is, unless they belong to a library.
 */
export function isForeign(path: string, directory?: string): boolean {
  return LIBRARY.test(path) || (OF_THE_MACHINE.test(path) && !isBelow(path, directory));
}

function isBelow(path: string, directory: string | undefined): boolean {
  return (
    directory !== undefined && path.startsWith(directory.replace(/[\\/]?$/, path.includes("/") ? "/" : "\\"))
  );
}
