import { command, configuration, within } from "./suggestion.ts";

export const php = within("php", [
  command(
    { categories: ["dependency_resolution"] },
    "php-install",
    "Install from the lock file",
    "A class or package of the lock file is not installed.",
    "composer install",
  ),
  command(
    { signatures: ["composer-resolve"] },
    "php-why-not",
    "See what prevents the version",
    "Composer lists the packages that exclude it.",
    "composer why-not {package}",
  ),
  command(
    { signatures: ["php-class"] },
    "php-autoload",
    "Write the autoloader anew",
    "The class is not where its namespace says, or the class map is old.",
    "composer dump-autoload",
  ),
  configuration(
    { categories: ["version_mismatch"] },
    "php-version",
    "Use the PHP version and extensions that composer.json asks for",
    "A package requires another PHP or an extension that is not loaded.",
    "php -v && php -m",
  ),
  command(
    { categories: ["compile_error"] },
    "php-lint",
    "Check the file's syntax",
    "PHP reports the line where it noticed.",
    "php -l {file}",
  ),
  command(
    { categories: ["test_failure"] },
    "php-run-test",
    "Run the failing test alone",
    "A test that fails alone is broken; one that passes alone depends on others.",
    "vendor/bin/phpunit --filter {test}",
  ),
  command(
    { categories: ["lint", "type_error"] },
    "php-cs",
    "Let the fixer correct what it can",
    "Most style findings are corrected in place.",
    "vendor/bin/php-cs-fixer fix",
  ),
  configuration(
    { categories: ["out_of_memory"] },
    "php-memory",
    "Raise PHP's memory limit for this command",
    "The limit of 128 MB is for web requests.",
    "php -d memory_limit=-1 $(which composer) install",
  ),
  configuration(
    { categories: ["network", "permission"] },
    "php-token",
    "Give Composer a token",
    "Anonymous requests to GitHub are limited to 60 an hour.",
    "composer config --global --list",
  ),
]);
