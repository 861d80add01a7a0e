module player

go 1.23
